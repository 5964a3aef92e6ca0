# Package for nixpkgs (pkgs/by-name/ut/utfconv/package.nix). NOT RUN, because it was written without Nix. Fill in the
# hashes.
{
  lib,
  rustPlatform,
  fetchFromGitHub,
  installShellFiles,
}:

rustPlatform.buildRustPackage rec {
  pname = "utfconv";
  version = "0.1.0";

  src = fetchFromGitHub {
    owner = "utfconv";
    repo = "utfconv";
    tag = "v${version}";
    hash = lib.fakeHash;
  };
  cargoHash = lib.fakeHash;

  # Remove the flags for a static program, because programs of Nix are linked dynamically.
  postPatch = "rm .cargo/config.toml";
  nativeBuildInputs = [ installShellFiles ];
  # Skip the tests, because they call other converters.
  doCheck = false;
  postInstall = ''
    installManPage man/*.[157]
    installShellCompletion --bash --name utfconv completions/utfconv.bash
    installShellCompletion --fish completions/utfconv.fish
    installShellCompletion --zsh completions/_utfconv
  '';

  meta = {
    description = "Convert text between encodings, with errors by line, column and byte";
    homepage = "https://github.com/utfconv/utfconv";
    changelog = "https://github.com/utfconv/utfconv/blob/v${version}/CHANGELOG.md";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "utfconv";
  };
}
