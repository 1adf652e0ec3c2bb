type Preset = {
  /** What it is for, for people. */
  for: string;
  /** As entries of a `network` list. */
  hosts: readonly string[];
  /** Files at a repository's root whose setup needs it. */
  files: readonly string[];
  /** True: it takes uploads of whoever has an account, of any kind: only the operator gives it. */
  isCodeHost?: true;
};

/** Hosts of the usual package registries, by names that `network` lists take. */
export const presets: Readonly<Record<string, Preset>> = {
  npm: {
    for: "npm, yarn, pnpm",
    hosts: ["registry.npmjs.org", "registry.yarnpkg.com", "repo.yarnpkg.com"],
    files: ["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json"],
  },
  pypi: {
    for: "pip, uv, poetry, pipenv",
    hosts: ["pypi.org", "files.pythonhosted.org"],
    files: [
      "pyproject.toml",
      "requirements.txt",
      "setup.py",
      "setup.cfg",
      "Pipfile",
      "uv.lock",
      "poetry.lock",
    ],
  },
  crates: {
    for: "cargo",
    hosts: ["index.crates.io", "static.crates.io", "crates.io"],
    files: ["Cargo.toml", "Cargo.lock"],
  },
  go: {
    for: "go",
    hosts: ["proxy.golang.org", "sum.golang.org"],
    files: ["go.mod", "go.sum", "go.work"],
  },
  maven: {
    for: "maven, gradle, sbt",
    hosts: [
      "repo.maven.apache.org",
      "repo1.maven.org",
      "plugins.gradle.org",
      "plugins-artifacts.gradle.org",
      "services.gradle.org",
      "downloads.gradle.org",
      "dl.google.com",
      "maven.google.com",
    ],
    files: [
      "pom.xml",
      "build.gradle",
      "build.gradle.kts",
      "settings.gradle",
      "settings.gradle.kts",
      "gradlew",
      "mvnw",
      "build.sbt",
    ],
  },
  rubygems: {
    for: "bundler, gem",
    hosts: ["rubygems.org", "index.rubygems.org"],
    files: ["Gemfile", "Gemfile.lock"],
  },
  nuget: {
    for: "dotnet",
    hosts: ["api.nuget.org", "globalcdn.nuget.org"],
    files: [
      "global.json",
      "nuget.config",
      "NuGet.config",
      "Directory.Packages.props",
      "Directory.Build.props",
    ],
  },
  packagist: {
    for: "composer; its packages mostly lie on `github`",
    hosts: ["packagist.org", "repo.packagist.org", "getcomposer.org"],
    files: ["composer.json", "composer.lock"],
  },
  hex: {
    for: "mix, rebar3",
    hosts: ["repo.hex.pm", "builds.hex.pm", "hex.pm"],
    files: ["mix.exs", "mix.lock", "rebar.config"],
  },
  pub: {
    for: "dart, flutter",
    hosts: ["pub.dev", "pub.dartlang.org"],
    files: ["pubspec.yaml", "pubspec.lock"],
  },
  debian: {
    for: "apt on Debian and Ubuntu",
    hosts: [
      "deb.debian.org",
      "security.debian.org",
      "archive.ubuntu.com",
      "security.ubuntu.com",
      "ports.ubuntu.com",
    ],
    files: [],
  },
  alpine: { for: "apk", hosts: ["dl-cdn.alpinelinux.org"], files: [] },
  node: { for: "downloads and headers of Node", hosts: ["nodejs.org"], files: [] },
  github: {
    for: "clones, archives and releases on GitHub; a way out for whatever commands can read",
    hosts: [
      "github.com",
      "codeload.github.com",
      "api.github.com",
      "raw.githubusercontent.com",
      "objects.githubusercontent.com",
      "release-assets.githubusercontent.com",
    ],
    files: [],
    isCodeHost: true,
  },
};

export const presetNamed = (name: string): Preset | undefined =>
  Object.hasOwn(presets, name) ? presets[name] : undefined;

/** The registries that files at a repository's root ask for. Never a code host. */
export const presetsFor = (files: readonly string[]): string[] =>
  Object.entries(presets).flatMap(([name, preset]) =>
    !preset.isCodeHost && files.some((file) => preset.files.includes(file)) ? [name] : [],
  );
