import type { ProgramTable } from './program.js';

const CONTAINER_RUN =
  '-a --attach --add-host --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares -c --cpus --cpuset-cpus --cpuset-mems --device --dns --dns-option --dns-search --domainname --entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries --health-timeout -h --hostname --ip --ip6 --ipc --isolation --kernel-memory -l --label --label-file --link --log-driver --log-opt --mac-address -m --memory --memory-reservation --memory-swap --mount --name --network --net --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir --arch --os --pod --secret --systemd';
const CONTAINER_EXEC = '-e --env --env-file -u --user -w --workdir --detach-keys';
const COMPOSE = '-f --file -p --project-name --profile --project-directory --env-file --ansi --parallel';
const KUBECTL =
  '-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --certificate-authority --client-certificate --client-key --request-timeout -v --v -l --selector -o --output --template -f --filename -c --container --field-selector --sort-by --from-literal --from-file --from-env-file --image --replicas --port --target-port --type -p --patch --patch-file --clusterrole --role --serviceaccount --group --timeout --grace-period --since --tail -k --kustomize --overrides --env --labels --restart --hostport --limits --requests --schedule --for --to-revision --revision --field-manager --since-time  ';

/** Version control, containers, clouds, databases and services. */
export const SERVICES: ProgramTable = {
  git: { valued: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env' },
  'git commit': {
    valued:
      '-m --message -F --file -C --reuse-message -c --reedit-message --author --date -t --template --fixup --squash --cleanup --trailer --pathspec-from-file',
  },
  'git tag': { valued: '-m --message -F --file -u --local-user --sort --format --cleanup' },
  'git merge|git revert|git cherry-pick': { valued: '-m --message -F --file -s --strategy -X --strategy-option' },
  'git log|git show|git diff|git shortlog': {
    valued: '-n --max-count --author --grep --since --until --after --before --format --pretty -S -G -L --committer --skip --date -U -O',
  },
  'git clone': {
    valued:
      '-b --branch -o --origin --depth -c --config --reference --template -u --upload-pack -j --jobs --filter --separate-git-dir --shallow-since',
  },
  'git checkout|git switch': { valued: '-b -B -c -C --orphan --conflict' },
  'git push': { valued: '-o --push-option --receive-pack --exec --repo' },
  'git fetch|git pull': { valued: '--depth --upload-pack -j --jobs --refmap -s --strategy -X --shallow-since' },
  'git clean': { valued: '-e --exclude' },
  'git config': { valued: '-f --file --blob --type --default --comment' },
  'git rebase': { valued: '--onto -s --strategy -X -x --exec' },
  'git stash push|git stash save': { valued: '-m --message' },
  'git worktree add': { valued: '-b -B --reason' },
  'git branch': { valued: '-u --set-upstream-to --sort --format --contains' },
  'git reflog': { valued: '-n' },
  'git archive': { valued: '-o --output --format --prefix --remote --exec' },
  'git grep': { valued: '-e -f -A -B -C -m --max-depth --threads' },
  'git notes add': { valued: '-m -F -C -c' },
  gh: { valued: '-R --repo --hostname' },
  'gh pr|gh issue|gh release|gh repo|gh gist|gh run|gh workflow|gh label': {
    valued:
      '-t --title -b --body -F --body-file -B --base -H --head -l --label -a --assignee -r --reviewer -m --milestone --project -n --notes --notes-file --target --description -g --gitignore --source --remote --team --template -T --homepage --visibility --filename -q --jq --json -L --limit -s --state -A --author -S --search -w --workflow --branch',
  },
  'gh api': { valued: '-X --method -H --header -f --raw-field -F --field -q --jq -t --template --input -p --preview --cache' },
  'gh secret|gh variable': { valued: '-b --body -e --env -o --org -f --env-file -v --visibility -r --repos -a --app' },
  glab: { valued: '-R --repo -t --title -d --description -b --target-branch -s --source-branch -l --label -F --output' },
  'docker|podman|nerdctl': {
    valued: '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --root --connection --url',
  },
  'docker run|docker create|podman run|podman create|nerdctl run|nerdctl create|docker container run|docker container create|podman container run':
    { valued: CONTAINER_RUN, firstOperand: true, equals: true },
  'docker exec|podman exec|nerdctl exec|docker container exec|podman container exec': {
    valued: CONTAINER_EXEC,
    firstOperand: true,
    equals: true,
  },
  'docker build|podman build|docker buildx|docker image build': {
    valued:
      '-t --tag -f --file --build-arg --target --platform --cache-from --cache-to -o --output --secret --ssh --network --label --progress --builder --add-host --iidfile',
    equals: true,
  },
  'docker compose|podman compose|docker-compose|podman-compose': { valued: COMPOSE, equals: true },
  'docker compose exec|docker-compose exec|docker compose run|docker-compose run': {
    valued: `${CONTAINER_EXEC} --index --entrypoint --name -p --publish -v --volume -l --label`,
    firstOperand: true,
    equals: true,
  },
  'docker logs|docker compose logs': { valued: '-n --tail --since --until' },
  'docker ps|docker images|docker inspect|docker volume|docker network': {
    valued: '-f --filter --format -n --last -d --driver -o --opt --label',
  },
  'docker login': { valued: '-u --username -p --password' },
  'kubectl|oc|k|microk8s.kubectl': { valued: KUBECTL, equals: true },
  'kubectl exec|oc exec|oc rsh': { valued: `${KUBECTL} --pod-running-timeout`, equals: true },
  'kubectl logs': { valued: '--tail --since --since-time -c --container -l --selector -n --namespace --context', equals: true },
  helm: {
    valued:
      '-n --namespace -f --values --set --set-string --set-file --version --kube-context --kubeconfig --repo --timeout -o --output --username --password --description --post-renderer',
    equals: true,
  },
  aws: {
    longValued: true,
    plain:
      '--recursive --dryrun --dry-run --quiet --debug --with-decryption --delete --force --follow --decrypt --only-show-errors --exact-timestamps --size-only --no-follow-symlinks --follow-symlinks --summarize --human-readable --yes --skip-final-snapshot --force-delete-without-recovery --publish --all --interactive --use-device-code --wait',
  },
  gcloud: {
    longValued: true,
    plain:
      '--quiet --recursive --force --async --allow-unauthenticated --no-allow-unauthenticated --global --all --preemptible --enable-autoscaling --no-user-output-enabled --launch-browser --no-launch-browser --update-adc --tunnel-through-iap',
    valued: '',
  },
  az: {
    longValued: true,
    plain:
      '--yes --no-wait --force-string --debug --verbose --only-show-errors --help --allow-no-subscriptions --use-device-code --overwrite --recursive --dryrun',
    valued: '-g -n -l -o -s -u -p -f -c -t -v',
  },
  'terraform|tofu|terragrunt': { single: true, valued: '-var -var-file -target -replace -state' },
  pulumi: { valued: '-s --stack -C --cwd -m --message -t --target -c --config --color -p --parallel' },
  'cdk|sam|serverless|sls|sst|copilot': {
    valued:
      '-a --app -c --context --profile --region --stage -s --stack-name -t --template --toolkit-stack-name --role-arn -o --output --env --name --parameters --parameter-overrides --template-file --s3-bucket --capabilities --config-file --config-env',
  },
  'vault|consul|nomad': { single: true, valued: '' },
  psql: {
    valued:
      '-c --command -d --dbname -f --file -h --host -p --port -U --username -v --set --variable -o --output -L --log-file -F --field-separator -P --pset -R -T',
  },
  'pg_dump|pg_dumpall|pg_restore|createdb|dropdb|createuser|dropuser': {
    valued:
      '-h --host -p --port -U --username -d --dbname -f --file -F --format -t --table -n --schema -j --jobs -T --exclude-table -N -E --encoding',
  },
  'mysql|mariadb|mysqladmin|mysqldump|mysqlshow': {
    attached: '-p',
    valued:
      '-u --user -h --host -P --port -D --database -e --execute -S --socket --protocol --default-character-set --ssl-ca --ssl-mode --where --result-file',
  },
  'mongo|mongosh|mongodump|mongorestore': {
    valued: '--host --port -u --username -p --password --eval -d --db -c --collection --uri -o --out --authenticationDatabase -f --file',
  },
  'redis-cli|valkey-cli': { valued: '-h -p -s -a -u -n -r -i -d --user --pass --pattern --eval' },
  sqlcmd: { valued: '-S -U -P -d -Q -q -i -o -s -v -h -w -t -l' },
  bq: { valued: '--project_id --dataset_id --location --format' },
  'systemctl|service|journalctl': {
    valued:
      '-n --lines -u --unit -t --type --state -H --host -M --machine -o --output --since --until -p --priority -g --grep -s --signal --kill-who',
  },
  'systemd-run': {
    valued:
      '-u --unit -p --property -E --setenv --on-calendar --on-active --on-boot --on-startup --on-unit-active --uid --gid --slice --description --working-directory -M --machine -H --host --nice --timer-property',
    firstOperand: true,
  },
  'useradd|adduser|usermod|groupadd': {
    valued:
      '-u --uid -g --gid -G --groups -d --home --home-dir -s --shell -c --comment -e --expiredate -f --inactive -p --password -k --skel -K -R --root -l --login --gecos --ingroup -b --base-dir',
  },
  gpasswd: { valued: '-a --add -d --delete -M --members -A --administrators' },
  crontab: { valued: '-u' },
  at: { valued: '-f -q -t' },
  'pkill|killall|pgrep': {
    valued:
      '-u --euid -U --uid -g --pgroup -G --group -P --parent -s -t --terminal --signal --user -y --younger-than --older-than -F --pidfile --ns',
  },
  kill: { valued: '-s --signal -n' },
  nsenter: { valued: '-t --target -S --setuid -G --setgid', firstOperand: true },
  launchctl: { valued: '-D -S -p' },
  security: { valued: '-a -s -c -C -D -G -j -l -k -p -r -t -T -o -f -P' },
  'systemd-nspawn|unshare': { valued: '-D --directory -M --machine -R --root -S --setuid -G --setgid', firstOperand: true },
  tmux: { valued: '-t -s -n -c -f -L -S -x -y -F' },
  'q|qchat|kiro-cli|kiro-cli-chat': { valued: '--trust-tools --agent --profile --model --resume-id' },
  claude: {
    valued:
      '--model --permission-mode --allowedTools --disallowedTools --mcp-config --append-system-prompt --output-format --input-format --max-turns --add-dir --settings --session-id --agents',
  },
  codex: {
    valued: '-m --model -c --config -s --sandbox -a --ask-for-approval -C --cd -p --profile -i --image --output-last-message -o --color',
  },
  'gemini|qwen': {
    valued: '-m --model -p --prompt -i --prompt-interactive --approval-mode --include-directories --extensions -e --allowed-tools',
  },
  copilot: { valued: '-p --prompt --model --allow-tool --deny-tool --add-dir --log-level --agent' },
  'code|cursor': { valued: '--add-mcp --install-extension --user-data-dir --extensions-dir -g --goto --profile --uninstall-extension' },
  ngrok: { valued: '--authtoken --config --region --domain --hostname --subdomain --log --url' },
};
