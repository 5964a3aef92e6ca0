# Homebrew, for a tap or homebrew-core. NOT RUN: written without macOS. Fill in sha256 after the release.
class Utfconv < Formula
  desc "Convert text between encodings, with errors by line, column and byte"
  homepage "https://github.com/utfconv/utfconv"
  url "https://github.com/utfconv/utfconv/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    man1.install Dir["man/*.1"]
    man5.install Dir["man/*.5"]
    man7.install Dir["man/*.7"]
    bash_completion.install "completions/utfconv.bash" => "utfconv"
    fish_completion.install "completions/utfconv.fish"
    zsh_completion.install "completions/_utfconv"
  end

  test do
    (testpath/"latin1.txt").binwrite "caf\xE9".b
    assert_equal "café", shell_output("#{bin}/utfconv -f latin1 latin1.txt")
  end
end
