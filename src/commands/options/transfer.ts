import type { ProgramTable } from './program.js';

/** Programs that move data over a network. */
export const TRANSFER: ProgramTable = {
  curl: {
    valued:
      '-A --user-agent -b --cookie -c --cookie-jar -C --continue-at -d --data --data-ascii --data-binary --data-raw --data-urlencode --json -D --dump-header -e --referer -E --cert --key --cacert --capath --cert-type --key-type --pass -F --form --form-string -H --header -K --config -m --max-time --connect-timeout -o --output --output-dir -P --ftp-port -Q --quote -r --range -t --telnet-option -T --upload-file -u --user -U --proxy-user -w --write-out -x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname -X --request -y --speed-time -Y --speed-limit -z --time-cond --url --url-query --retry --retry-delay --retry-max-time --resolve --connect-to --interface --limit-rate --max-filesize --max-redirs --proto --proto-default --proto-redir --unix-socket --abstract-unix-socket --ciphers --tls-max --tls13-ciphers --dns-servers --doh-url --local-port --noproxy --oauth2-bearer --aws-sigv4 --request-target --stderr --trace --trace-ascii --keepalive-time --mail-from --mail-rcpt --netrc-file --pinnedpubkey --proxy-header --service-name --rate --variable --create-file-mode --etag-save --etag-compare --hostpubsha256 --pubkey --engine --egd-file --random-file --crlfile --curves --happy-eyeballs-timeout-ms --parallel-max --ftp-account --ftp-method --krb --libcurl --login-options --sasl-authzid --delegation --expect100-timeout --ipfs-gateway --haproxy-clientip --alt-svc --hsts',
  },
  wget: {
    valued:
      '-O --output-document -P --directory-prefix -o --output-file -a --append-output -e --execute -i --input-file -t --tries -T --timeout -w --wait -Q --quota -U --user-agent --header --post-data --post-file --body-data --body-file --method --user --password --http-user --http-password --referer --load-cookies --save-cookies -A --accept -R --reject -D --domains -I -X -l --level -B --base --ca-certificate --certificate --private-key --limit-rate --bind-address --max-redirect --cut-dirs --default-page --config --secure-protocol --proxy-user --proxy-password --waitretry --connect-timeout --read-timeout --dns-timeout --retry-on-http-error --progress --prefer-family --report-speed --restrict-file-names --regex-type --accept-regex --reject-regex --exclude-directories --include-directories',
  },
  'http|https|xh|xhs': {
    valued:
      '-o --output -a --auth -A --auth-type --timeout --proxy --verify --cert --cert-key --session --print -p -s --style --pretty --max-redirects --download-dir',
  },
  aria2c: {
    valued:
      '-o --out -d --dir -i --input-file -j -x -s -k --header -U --user-agent --referer --max-tries -m -t --timeout --all-proxy --checksum -l --log',
  },
  'nc|ncat|netcat|nc.traditional|nc.openbsd': {
    valued:
      '-e -c --exec --sh-exec -w --wait -p --source-port -s --source -i -I -O -T -x -X -q -G -g -P --proxy --proxy-type --ssl-cert --ssl-key -m -o --output --lua-exec',
  },
  'ssh|autossh|slogin': { valued: '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', firstOperand: true },
  mosh: { valued: '-p --port --ssh --server --client --predict', firstOperand: true },
  scp: { valued: '-c -D -F -i -J -l -o -P -S -X' },
  sftp: { valued: '-c -D -F -i -J -l -o -P -S -X -b -B -R -s' },
  sshpass: { valued: '-p -f -d -P', firstOperand: true },
  'ssh-keygen': { valued: '-t -b -f -C -N -P -m -s -I -n -V -O -z -D -F -R -r -G -M -W -a -E -Z -Y' },
  'ssh-copy-id': { valued: '-i -p -o -F -t' },
  rsync: {
    valued:
      '-e --rsh --rsync-path --exclude --exclude-from --include --include-from --files-from --filter -f --backup-dir --suffix --chmod --chown --bwlimit --port --password-file --log-file --max-size --min-size --timeout --contimeout -T --temp-dir --compare-dest --copy-dest --link-dest --out-format --info --debug -B --block-size -M --remote-option --max-delete --partial-dir --usermap --groupmap',
  },
  'ftp|lftp|tftp|ncftpput|ncftpget|curlftpfs': { valued: '-u -e -P -c -f -o' },
  telnet: { valued: '-l -e -b' },
  socat: { valued: '-b -lf -lp -t -T -L -W', single: true },
  'dig|drill': { valued: '-b -c -f -k -p -q -t -x -y' },
  ping: { valued: '-c -i -I -l -m -M -p -Q -s -S -t -T -w -W -F' },
  nmap: {
    valued:
      '-p -iL -iR -oN -oX -oG -oA -oS -S -e -g -D --script --script-args --top-ports --exclude --excludefile --min-rate --max-rate --source-port --host-timeout --max-retries',
    single: true,
  },
  masscan: { valued: '-p --ports --rate --exclude -oX -oJ -oL -oG -e --adapter-ip', single: true },
  rclone: {
    valued:
      '--config --include --exclude --filter --filter-from --include-from --exclude-from --transfers --checkers --bwlimit --max-age --min-age --max-size --min-size --log-file --log-level --s3-region --backup-dir --files-from --timeout --retries',
  },
  gsutil: { valued: '-o -h -u -i', firstOperand: true },
  s3cmd: { valued: '-c --config --access_key --secret_key --region --host --host-bucket --exclude --include' },
  'mail|mailx|mutt|s-nail': { valued: '-s -a -c -b -r -S -q -A -F' },
  'sendmail|msmtp': { valued: '-f -F -a -C --account' },
  openssl: {
    single: true,
    valued:
      '-in -out -inkey -key -keyout -pass -passin -passout -K -k -iv -S -md -connect -servername -CAfile -CApath -cert -certfile -config -days -subj -newkey -signkey -CA -CAkey -extfile -extensions -inform -outform -kfile -name -pkeyopt -algorithm -engine -port -accept -starttls -verify_hostname -addext -reqopt -nameopt -rand',
  },
  'gpg|gpg2': {
    valued:
      '-o --output -r --recipient -u --local-user --homedir --keyserver --passphrase --passphrase-file --passphrase-fd --pinentry-mode --cipher-algo --default-key --status-fd --command-fd --compress-algo -z --logger-fd --trust-model --hidden-recipient -R -N',
  },
};
