/** Texts that are URLs, nearly URLs, or are read as different URLs by different programs. */
import type { Random } from "../crash/random.ts";

export interface Hosts {
  /** `host:port` that the policy allows. */
  allowed: readonly string[];
  /** `host:port` that it refuses. */
  refused: readonly string[];
}

const schemes = [
  "http",
  "http",
  "http",
  "http",
  "http",
  "http",
  "https",
  "HTTP",
  "hTTp",
  "file",
  "ssh",
  "git",
  "ext",
  "",
];
const separators = [
  "://",
  "://",
  "://",
  "://",
  "://",
  "://",
  "://",
  ":",
  ":/",
  ":///",
  ":\\\\",
  "::",
  ":\\/",
  ":////",
];
const users = ["", "", "", "", "", "", "", "", "u@", "u:p@", "@", ":@", "a@b@", "%40"];
/** The first is the one that git and URL parsers are known to disagree about. */
const joints = [
  ...Array.from({ length: 8 }, () => "\\@"),
  "\\@",
  "@",
  "#@",
  "?@",
  "\\",
  "\\\\@",
  "/@",
  "%5c@",
  "%2f@",
  "%00@",
  "\t@",
  "\n",
  ";@",
  "&@",
  ":@",
  "#\\@",
  "%23@",
  " @",
  ".",
  "%2e",
  "。",
  ",",
  "\u00ad",
  "⁄",
  "？",
  "＠",
  "\\/",
  "/\\",
];
const paths = [
  "",
  "/",
  "/x",
  "/x.git",
  "/a/../x.git",
  "/a/%2e%2e/x.git",
  "/..;/x.git",
  "//x.git",
  "/a\\b.git",
  "/%5c..%5cx.git",
  "/x y.git",
  "/ü.git",
  "/x.git/",
  "/@x.git",
  "/:80/x.git",
  "/a/./b/.git",
  "/-uhelper",
  "/%0d%0ax.git",
  "/x.git\u0000",
];
const tails = [
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "?a=b",
  "#main",
  "?",
  "#",
  "?x=http://h/",
  "\\",
  " ",
  "\n",
  "\t",
  "?owner=a&repo=b",
  "\u200b",
  "?@",
  "#@",
];

const pickOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** The same address in another spelling, or nearly so. */
function respell(random: Random, authority: string): string {
  const colon = authority.lastIndexOf(":");
  const [host, port] = [authority.slice(0, colon), authority.slice(colon + 1)];
  const bytes = host.split(".").map(Number);
  const isIpv4 = bytes.length === 4 && bytes.every((byte) => Number.isInteger(byte));
  const asNumber = isIpv4 ? bytes.reduce((sum, byte) => sum * 256 + byte, 0) : 0;
  const hosts = [
    host.toUpperCase(),
    `${host}.`,
    `${host}..`,
    host.replaceAll(/./g, (char) => (random() < 0.2 ? `%${char.charCodeAt(0).toString(16)}` : char)),
    host.replaceAll(/[a-z]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0)),
    host.replace(".", "。"),
    host.replace("a", "\u00ada"),
    `xn--${host}`,
    ...(isIpv4
      ? [
          String(asNumber),
          `0x${asNumber.toString(16)}`,
          bytes.map((byte) => `0${byte.toString(8)}`).join("."),
          `${bytes[0]}.${bytes[3]}`,
          bytes.map((byte) => `00${byte}`).join("."),
          `[::ffff:${host}]`,
          `[::${host}]`,
          `[0:0:0:0:0:ffff:7f00:1]`,
          `${host}.0`,
        ]
      : []),
  ];
  const ports = [
    port,
    port,
    port,
    port,
    `0${port}`,
    `+${port}`,
    ` ${port}`,
    "",
    `${port} `,
    `${Number(port) + 65_536}`,
    `${port}:80`,
    `0x50`,
  ];
  return `${pickOf(random, hosts)}:${pickOf(random, ports)}`;
}

/** One text. Many are plain, so that what must be allowed is tried as well. */
export function anyUrl(random: Random, { allowed, refused }: Hosts): string {
  const one = pickOf(random, random() < 0.7 ? allowed : refused);
  if (random() < 0.33)
    return `http://${one}${pickOf(random, ["", "/", "/x.git", "/a/../x.git", "/a/%2e/x", "/%41.git", "//x.git", "/ü"])}`;
  const other = pickOf(random, random() < 0.7 ? refused : allowed);
  // Nothing strange but the joint, or the other oddities would hide what it does.
  if (random() < 0.2) return `http://${one}${pickOf(random, joints)}${other}/x.git`;
  const kind = random();
  const authority =
    kind < 0.3
      ? one
      : kind < 0.65
        ? `${one}${pickOf(random, joints)}${other}`
        : kind < 0.9
          ? respell(random, one)
          : `${respell(random, one)}${pickOf(random, joints)}${other}`;
  const text =
    pickOf(random, schemes) +
    pickOf(random, separators) +
    pickOf(random, users) +
    authority +
    pickOf(random, paths) +
    pickOf(random, tails);
  return random() < 0.03 ? `${pickOf(random, [" ", "\t", "\n", "-u", "\u0000"])}${text}` : text;
}
