/** An unprivileged user with stubs of node and two CLIs on a PATH that is ready without any profile. */
export const agentSetup = `
useradd -m -u 1000 -s /bin/bash agent
mkdir -p /opt/tools /workspace && chown agent: /workspace
printf '#!/bin/sh\\necho v24.21.0\\n' >/opt/tools/node
printf '#!/bin/sh\\necho codex-cli 0.156.0\\n' >/opt/tools/codex
printf '#!/bin/sh\\necho 2.1.280\\n' >/opt/tools/claude
chmod 755 /opt/tools/*
`;

export const toolsPath = "/opt/tools:/usr/local/bin:/usr/bin:/bin";

/** With variables that steer shells and Node, so that blanking them can be seen. */
const steering = ["-e", "ENV=/nonexistent", "-e", "NODE_OPTIONS=--require=/nonexistent"];
export const agentRun = ["-e", `PATH=${toolsPath}`, "-e", "HOME=/home/agent", ...steering];

/** Profiles that tell when they are read, make noise and break PATH. */
export const trapSetup = `
for f in /etc/profile /etc/bash.bashrc /home/agent/.profile /home/agent/.bash_profile /home/agent/.bashrc /home/agent/.bash_login;do
printf 'echo "Welcome to the box!"\\ntouch /trap/read 2>/dev/null\\nPATH=/nowhere\\nexport PATH\\n' >$f
done
mkdir -p /trap && chmod 777 /trap && chown -R agent: /home/agent
`;

export const profileFiles =
  "/etc/profile /etc/bash.bashrc /etc/csh.cshrc /home/agent/.profile /home/agent/.bash_profile /home/agent/.bashrc /home/agent/.bash_login";
