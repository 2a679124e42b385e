/** What a transport's client needs of the controller's environment. `SendEnv LANG LC_*` stands in Debian's ssh_config: neither is here. */
const names = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "SSH_AUTH_SOCK",
  "KRB5CCNAME",
  "DOCKER_HOST",
  "DOCKER_CONFIG",
  "DOCKER_CONTEXT",
  "DOCKER_CERT_PATH",
  "DOCKER_TLS_VERIFY",
  "DOCKER_API_VERSION",
] as const;

export function toClientEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
