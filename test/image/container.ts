/**
 * A program in the image's root file system, as a container engine would run it but for its own network: read-only, with two scratch
 * folders, as the image's user without any right, in the namespace of mounts of its own. Needs root.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Container {
  process: ChildProcess;
  /** Resolves with the first value that `read` returns for a line of its output; rejects when it has ended. */
  line<T>(read: (line: Record<string, unknown>) => T | undefined): Promise<T>;
  /** Everything that it has printed, for failures. */
  output(): string;
  /** Resolves with the exit code, or the signal. */
  ended: Promise<number | string>;
}

export interface ContainerOptions {
  root: string;
  user: number;
  command: readonly string[];
  env: readonly string[];
  /** A folder whose files are in /etc/plinth. */
  config?: string;
  /** Programs that are taken away. */
  without?: readonly string[];
}

const prepare = `
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --bind -o remount,ro,nosuid,nodev "$ROOT"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmp "$ROOT/tmp"
mount -t tmpfs -o mode=$DATA_MODE,gid=$IDS,nosuid,nodev,noexec data "$ROOT/var/lib/plinth"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755 dev "$ROOT/dev"
for device in null zero random urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -o remount,ro "$ROOT/dev"
if [ -n "$CONFIG" ]; then mount -t tmpfs -o mode=755 config "$ROOT/etc/plinth"; cp "$CONFIG"/* "$ROOT/etc/plinth"; chmod 444 "$ROOT"/etc/plinth/*; mount -o remount,ro "$ROOT/etc/plinth"; fi
for program in $WITHOUT; do mount --bind /dev/null "$ROOT$program"; done
exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid chroot --userspec="$IDS:$IDS" --groups= "$ROOT" "$@"
`;

export function startContainer({
  root,
  user,
  command,
  env,
  config,
  without = [],
}: ContainerOptions): Container {
  const child = spawn("unshare", ["--mount", "sh", "-c", prepare, "sh", ...command], {
    env: {
      ...Object.fromEntries(env.map((each) => [each.split("=", 1)[0]!, each.slice(each.indexOf("=") + 1)])),
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      ROOT: root,
      IDS: String(user),
      // As Kubernetes makes a scratch volume for the group of a pod.
      DATA_MODE: "2777",
      CONFIG: config ?? "",
      WITHOUT: without.join(" "),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const each of heard) each();
    });
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  const output = (): string => lines.join("\n");
  return {
    process: child,
    ended,
    output,
    line: (read) =>
      new Promise((done, fail) => {
        const look = (): void => {
          const found = lines.map((line) => read(parsed(line))).find((each) => each !== undefined);
          if (found === undefined) return;
          heard.delete(look);
          done(found);
        };
        heard.add(look);
        void ended.then((how) => fail(new Error(`${command.join(" ")} ended with ${how}:\n${output()}`)));
        look();
      }),
  };
}

function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
