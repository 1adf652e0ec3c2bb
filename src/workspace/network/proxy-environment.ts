/** Where the proxy is inside a sandbox: nothing else listens beyond the ports that systems choose from. */
export const PROXY_PORT = 61_199;

const address = `http://127.0.0.1:${PROXY_PORT}`;
const local = ["localhost", "127.0.0.1", "::1"];
const java = [
  ...["http", "https"].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${PROXY_PORT}`,
  ]),
  "-Dhttp.nonProxyHosts=localhost|127.*|[::1]",
].join(" ");

/** Tells programs of the proxy: as most of them ask, and by name those that ask otherwise. */
export const proxyEnvironment: Readonly<Record<string, string>> = {
  HTTP_PROXY: address,
  HTTPS_PROXY: address,
  ALL_PROXY: address,
  NO_PROXY: local.join(","),
  http_proxy: address,
  https_proxy: address,
  all_proxy: address,
  no_proxy: local.join(","),
  // fetch and http of Node 24.
  NODE_USE_ENV_PROXY: "1",
  npm_config_noproxy: local.join(","),
  YARN_HTTP_PROXY: address,
  YARN_HTTPS_PROXY: address,
  CARGO_HTTP_PROXY: address,
  PIP_PROXY: address,
  MAVEN_OPTS: java,
  GRADLE_OPTS: java,
  SBT_OPTS: java,
};
