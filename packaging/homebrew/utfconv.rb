# Homebrew formula for the tap utfconv/homebrew-tap (Formula/utfconv.rb); installs the programs of the release. NOT RUN,
# because it was written without Homebrew. packaging/checksums fills in sha256.
class Utfconv < Formula
  desc "Convert text between encodings, with errors by line, column and byte"
  homepage "https://github.com/utfconv/utfconv"
  version "0.1.0"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/utfconv/utfconv/releases/download/v0.1.0/utfconv-v0.1.0-aarch64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/utfconv/utfconv/releases/download/v0.1.0/utfconv-v0.1.0-x86_64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/utfconv/utfconv/releases/download/v0.1.0/utfconv-v0.1.0-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/utfconv/utfconv/releases/download/v0.1.0/utfconv-v0.1.0-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "bin/utfconv"
    man.install Dir["share/man/*"]
    bash_completion.install "share/bash-completion/completions/utfconv"
    fish_completion.install "share/fish/vendor_completions.d/utfconv.fish"
    zsh_completion.install "share/zsh/site-functions/_utfconv"
    doc.install Dir["share/doc/utfconv/*"]
  end

  test do
    (testpath/"latin1.txt").binwrite "caf\xE9".b
    assert_equal "café", shell_output("#{bin}/utfconv -f latin1 latin1.txt")
  end
end
