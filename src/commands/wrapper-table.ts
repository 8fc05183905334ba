import type { ProgramTable } from './options/program.js';

/** Programs that start another program given in their arguments. */
export interface Wrapper {
  /** Operands of its own before the program: the time of `timeout`, the file of `flock`. */
  readonly operands?: number;
  /** Takes `NAME=value` before the program. */
  readonly assignments?: true;
  /** Starts it with the rights of another user. */
  readonly privileged?: true;
  /** Options that make it do something else than start a program. */
  readonly unless?: string;
  /** Stays in the list as a command of its own, since rules ask for it by name. */
  readonly kept?: true;
}

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['sudo', { assignments: true, privileged: true, unless: '-l --list -v --validate -k -K -V --version -e --edit' }],
  ['doas', { privileged: true, unless: '-L -C' }],
  ['pkexec', { privileged: true, unless: '--version --help' }],
  ['gsudo', { privileged: true }],
  ['env', { assignments: true }],
  ['nohup', {}],
  ['time', {}],
  ['nice', {}],
  ['ionice', {}],
  ['timeout', { operands: 1 }],
  ['gtimeout', { operands: 1 }],
  ['stdbuf', {}],
  ['setsid', {}],
  ['command', { unless: '-v -V' }],
  ['builtin', {}],
  ['exec', {}],
  ['xargs', {}],
  ['watch', {}],
  ['unbuffer', {}],
  ['arch', {}],
  ['setarch', { operands: 1 }],
  ['busybox', { unless: '--list --help --install' }],
  ['toybox', {}],
  ['flock', { operands: 1, unless: '-u' }],
  ['chroot', { operands: 1, kept: true }],
  ['nsenter', { kept: true }],
  ['unshare', { kept: true }],
  ['systemd-run', { kept: true }],
  ['torsocks', {}],
  ['torify', {}],
  ['proxychains', {}],
  ['proxychains4', {}],
  ['caffeinate', {}],
  ['strace', {}],
  ['ltrace', {}],
  ['chrt', { operands: 1 }],
  ['taskset', { operands: 1 }],
  ['fakeroot', {}],
  ['xvfb-run', {}],
  ['dbus-run-session', {}],
  ['sshpass', {}],
  ['catchsegv', {}],
  ['winpty', {}],
]);

/** Options of wrappers; all end at the first operand. */
export const WRAPPER_OPTIONS: ProgramTable = {
  sudo: {
    valued:
      '-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -r --role -t --type -T --command-timeout -U --other-user',
    firstOperand: true,
  },
  doas: { valued: '-u -C', firstOperand: true },
  pkexec: { valued: '--user', firstOperand: true },
  env: { valued: '-u --unset -C --chdir -S --split-string -P', firstOperand: true },
  nice: { valued: '-n --adjustment', firstOperand: true },
  ionice: { valued: '-c --class -n --classdata -p --pid -P --pgid -u --uid', firstOperand: true },
  'timeout|gtimeout': { valued: '-s --signal -k --kill-after', firstOperand: true },
  stdbuf: { valued: '-i --input -o --output -e --error', firstOperand: true },
  exec: { valued: '-a', firstOperand: true },
  time: { valued: '-f --format -o --output', firstOperand: true },
  xargs: {
    valued: '-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars --process-slot-var',
    firstOperand: true,
  },
  watch: { valued: '-n --interval -q --equexit', firstOperand: true },
  flock: { valued: '-w --timeout -E --conflict-exit-code -c --command', firstOperand: true },
  chroot: { valued: '--userspec --groups', firstOperand: true },
  'proxychains|proxychains4': { valued: '-f', firstOperand: true },
  'strace|ltrace': { valued: '-e -o -p -s -a -u -E -P -S', firstOperand: true },
  caffeinate: { valued: '-t -w', firstOperand: true },
  'chrt|taskset': { valued: '-p', firstOperand: true },
  'xvfb-run': { valued: '-n --server-num -s --server-args -e --error-file -f --auth-file', firstOperand: true },
  'nohup|setsid|command|builtin|unbuffer|arch|setarch|busybox|toybox|torsocks|torify|fakeroot|dbus-run-session|gsudo|catchsegv|winpty': {
    firstOperand: true,
  },
};
