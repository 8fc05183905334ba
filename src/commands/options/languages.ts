import type { ProgramTable } from './program.js';

/** Shells, interpreters, package managers and build tools. */
export const LANGUAGES: ProgramTable = {
  'sh|bash|zsh|dash|ksh|ash|rbash|mksh|fish': {
    valued: '-c -o -O +o +O --rcfile --init-file --command --init-command',
    firstOperand: true,
  },
  'su|runuser': { valued: '-c --command -s --shell -g --group -G --supp-group -w --whitelist-environment --session-command' },
  'python|python2|python3|pypy|pypy3': { valued: '-c -m -W -X -Q --check-hash-based-pycs', firstOperand: true },
  'node|nodejs|bun|tsx|ts-node': {
    valued:
      '-e --eval -p --print -r --require --import --loader --experimental-loader --env-file -C --conditions --input-type --inspect-port --title --cwd',
    firstOperand: true,
  },
  deno: { valued: '-c --config --import-map --lock -L --log-level --cert --location --seed' },
  perl: { attached: '-i -0 -F -M -m', valued: '-e -E -I', firstOperand: true },
  ruby: { attached: '-i -0 -F', valued: '-e -I -r', firstOperand: true },
  php: { valued: '-r -f -c -d -B -R -E -F -S -t -z', firstOperand: true },
  lua: { valued: '-e -l', firstOperand: true },
  osascript: { valued: '-e -l -s', firstOperand: true },
  java: { single: true, valued: '-jar -cp -classpath --class-path -p --module-path -m --module', firstOperand: true },
  'set|typeset|declare|local|readonly|export|unset|shopt': { valued: ' ' },
  'npm|pnpm|yarn|bun npm': {
    valued:
      '--registry --prefix -w --workspace --tag --otp --access --loglevel --cache --userconfig --filter -F -C --dir --cwd --before --omit --include --scope --script-shell --store-dir --reporter',
    equals: true,
  },
  'npx|pnpx|bunx': { valued: '-p --package -c --call --node-options --registry', firstOperand: true },
  'uvx|pipx run': { valued: '--from --with -p --python --index-url --extra-index-url --index --spec', firstOperand: true },
  'pip|pip3': {
    valued:
      '-r --requirement -c --constraint -e --editable -t --target -i --index-url --extra-index-url -f --find-links --trusted-host --proxy --retries --timeout --cert --client-cert --cache-dir --log --platform --python-version --implementation --abi --root --prefix --src --progress-bar --upgrade-strategy --no-binary --only-binary --config-settings -C --global-option --format --path --python -d --dest -w --wheel-dir --report',
  },
  uv: {
    valued:
      '--directory --project --config-file --cache-dir --python -p --index-url -i --extra-index-url --index --default-index --find-links -f --with --from -r --requirement --constraint -c --group --extra --package --env-file --with-requirements --with-editable --target --prefix -o --output-file --publish-url --token -t',
  },
  poetry: {
    valued:
      '-C --directory -P --project --source --group -G --extras -E --with --without --only -r --repository -u --username -p --password',
  },
  gem: { valued: '-v --version -s --source --platform -i --install-dir -n --bindir --host -k --key -p --http-proxy' },
  'uv run|poetry run|pipenv run|pdm run|rye run|hatch run|bundle exec': { firstOperand: true },
  script: { valued: '-c --command -I -O -B -T -t -E -m' },
  bundle: { valued: '--gemfile --path --jobs -j --retry --without --with' },
  cargo: {
    valued:
      '--manifest-path --target --target-dir --features -F -p --package --bin --example --test --bench --profile -j --jobs --color --config -Z -C --registry --index --token --git --branch --tag --rev --path --version --root --edition --name --message-format --exclude',
  },
  go: {
    single: true,
    valued: '-o -tags -ldflags -gcflags -run -count -timeout -mod -C -p -bench -coverprofile -cpuprofile -exec -modfile',
  },
  'apt|apt-get|aptitude': { valued: '-o --option -c --config-file -t --target-release -a --host-architecture' },
  'yum|dnf|zypper': { valued: '--enablerepo --disablerepo --repo --releasever --installroot -c --config -x --exclude --setopt' },
  'dpkg|rpm': { valued: '--root --admindir --dbpath --prefix --define' },
  make: { attached: '-j -l', valued: '-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval' },
  'twine|flit|hatch': {
    valued:
      '-r --repository --repository-url -u --username -p --password -c --comment --config-file --cert --client-cert -i --identity -d --directory',
  },
  'vsce|ovsx': { valued: '-p --pat -i --packagePath -t --target -o --out' },
  'mvn|gradle|gradlew|mvnw': { single: true, valued: '-f -pl -s -gs -p -b -c -I --init-script --build-file --project-dir --settings-file' },
  pytest: {
    valued: '-k -m -p -c -n -o --maxfail --tb --rootdir --cov-report --junitxml --durations --basetemp --ignore --deselect -W --log-level',
  },
};
