/** Pure. The examples in the help and in docs/reference/cli.md; a test has every command parse its own. */
import type { Command } from "commander";

const unit = "urn:dmb:dp:mobility:fleet:0";
const port = "urn:dmb:cmp:mobility:fleet:0:positions";
const token = "0198c5b2-7a10-7c3e-9d55-3f2b8a1c6e40";

/** By the words after `plinth`. The first ones are shown by the group of a command too. */
const examples: Record<string, readonly string[]> = {
  "": ["demo", "start --port 7007", "provision unit.yaml -e development", `status ${unit} -e development`],
  start: ["start --config plinth.yaml", "start --workers only"],
  demo: ["demo", "demo --keep --port 7007"],
  "config check": ["config check --config plinth.yaml"],
  backup: [
    "backup --to plinth-2026-11-23.backup --key-to plinth.key",
    "backup --to /mnt/safe/plinth.backup --passphrase-file pass.txt",
  ],
  restore: ["restore --from plinth-2026-11-23.backup --key-from plinth.key --data-dir ./restored"],
  "admin new-key": ["admin new-key --data-dir /var/lib/plinth"],
  "admin rekey": ["admin rekey --config plinth.yaml --dry-run", "admin rekey --config plinth.yaml"],
  "upgrade check": [
    "upgrade check --values values.yaml --config app-config.yaml --variables secret-keys.txt",
  ],
  "upgrade plan": ["upgrade plan --values values.yaml --ingress-class nginx"],
  "upgrade apply": [
    "upgrade apply --config app-config.yaml --backup before-2.2.0.backup --execute",
    "upgrade apply --backup-confirmed --execute --sync-access",
  ],
  "upgrade verify": ["upgrade verify --config app-config.yaml --json"],
  "context list": ["context list"],
  "context use": ["context use production"],
  "context set": [
    "context set production --url https://plinth.example.com --token-stdin < token.txt",
    "context set production --cacert ca.pem --use",
  ],
  "context remove": ["context remove production"],
  login: ["login", "login --url https://plinth.example.com --context production --use"],
  logout: ["logout", "logout --context production"],
  whoami: ["whoami"],
  "token create": [
    'token create "nightly report" --role viewer --scope coordinator:read --days 90',
    "token create deploys --service deploy-bot --scope coordinator",
  ],
  "token list": ["token list", "token list --all --status ended"],
  "token revoke": [`token revoke ${token}`],
  "token account list": ["token account list"],
  "token account set": [
    'token account set deploy-bot --role developer --description "deploys what is merged"',
  ],
  "token account remove": ["token account remove deploy-bot"],
  completion: ["completion bash"],
  register: ["register urn:dmb:itm:postgres:1 http://127.0.0.1:4200 -e development -e production"],
  build: ["build ./fleet -e development -o unit.yaml", "build fleet.tar.gz -e production --json"],
  validate: ["validate unit.yaml", "build ./fleet -e development | plinth validate -"],
  plan: ["plan unit.yaml -e production", "plan unit.yaml --component positions --undeploy"],
  provision: [
    "provision unit.yaml -e development",
    "provision unit.yaml --wait-for-window",
    "provision unit.yaml --detach --json",
  ],
  status: [`status ${unit} -e development`, `status --plan ${token}`],
  watch: [`watch ${token}`],
  logs: [`logs ${token} --follow`, `logs ${token} --level ERROR`],
  terminate: [`terminate ${token}`, `terminate --unit ${unit} -e development --mode forced`],
  resume: [`resume ${token}`],
  rollback: [`rollback ${unit} -e production --to ${token} --preview`],
  diff: [`diff ${unit} -e development --with production`],
  drift: [`drift ${unit} -e production`, `drift ${unit} -e production --last --json`],
  "reconcile list": ["reconcile list --status ASKED"],
  "reconcile show": [`reconcile show ${token}`],
  "reconcile approve": [`reconcile approve ${token}`, `reconcile approve ${token} --wait-for-window`],
  "reconcile refuse": [`reconcile refuse ${token} --reason "it was changed on purpose"`],
  "notices list": ["notices list --status DEAD"],
  "notices test": ["notices test --to ada@example.com", "notices test --channel operations"],
  "notices send-again": ["notices send-again 0198c5b2-7a10-7c3e-9d55-3f2b8a1c6e40"],
  "notices choose": ["notices choose", "notices choose --on PLAN_FAILED --off RECONCILE"],
  "windows list": ["windows list"],
  "windows set": ["windows set production -f windows.yaml"],
  doctor: ["doctor", "doctor --config plinth.yaml --json"],
  "admin retention": ["admin retention --dry-run"],
  "audit list": [
    "audit list --actor user:default/ada --from 2026-11-01T00:00:00Z",
    "audit list --resource 'unit:urn:dmb:dp:mobility:fleet:0@*' --json",
  ],
  "audit export": [
    "audit export -o audit.jsonl",
    "audit export --area governance --from 2026-11-01T00:00:00Z",
  ],
  "audit verify": ["audit verify", "audit verify --file audit.jsonl"],
  "list waiting": ["list waiting"],
  "list units": ["list units -e production --status CORRUPT", "list units --search fleet"],
  "list plans": [`list plans ${unit} -e production`],
  "list operations": [
    "list operations --status RUNNING --status SCHEDULED",
    `list operations --unit ${unit} --limit 5`,
  ],
  "list adapters": ["list adapters"],
  "list environments": ["list environments"],
  "list approvals": ["list approvals"],
  "list unknown-outcomes": ["list unknown-outcomes -e production"],
  "catalog locations list": ["catalog locations list"],
  "catalog locations add": [
    "catalog locations add https://git.example.com/fleet/raw/main/catalog-info.yaml",
    "catalog locations add --type file /srv/templates/lake/template.yaml",
  ],
  "catalog locations remove": [`catalog locations remove ${token}`],
  "catalog refresh": ["catalog refresh system:default/fleet"],
  "catalog entities list": [
    "catalog entities list --filter kind=system",
    "catalog entities list --search fleet",
  ],
  "catalog entities get": ["catalog entities get system:default/fleet"],
  "template list": ["template list"],
  "template validate": ["template validate template.yaml"],
  "template run": [
    "template run template.yaml --dry-run --set name=north",
    "template run lake --set name=north",
  ],
  instantiate: [
    "instantiate lake --set name=north --follow",
    "instantiate lake --values @values.yaml --secret DB_PASSWORD",
  ],
  "access request": [
    `access request ${unit} ${port} -e production --identity user:ada --reason "fleet report" --follow`,
  ],
  "access revoke": [`access revoke ${unit} ${port} -e production --identity user:ada`],
  "access list": ["access list --status PENDING"],
  "access show": [`access show ${token}`],
  "access retry": [`access retry ${token}`],
  "access withdraw": [`access withdraw ${token}`],
  "hooks list": ["hooks list"],
  "hooks answer": [
    `hooks answer ${token} --ok`,
    `hooks answer ${token} --ko --reason "not without a contract"`,
  ],
  "approvals list": ["approvals list"],
  "approvals show": [`approvals show ${token}`],
  "approvals decide": [
    `approvals decide ${token} --approve --reason "the change is the one that we have discussed"`,
    `approvals decide ${token} --reject --reason "not before the audit"`,
  ],
  "policy list": ["policy list", "policy list --status grace --status enabled -e production"],
  "policy get": ["policy get owner-present", "policy get owner-present --history"],
  "policy apply": ["policy apply -f policies --dry-run", "policy apply -f policies/owner-present.yaml --yes"],
  "policy status": [
    'policy status owner-present grace --until 90d --reason "from the next quarter on"',
    'policy status owner-present disabled --reason "replaced by owner-is-a-group"',
  ],
  "policy test": [
    "policy test owner-present --descriptor unit.yaml",
    "policy test -f policies --descriptor unit.yaml --previous deployed.yaml -e production",
  ],
  "policy try": ["policy try owner-present -e production", "policy try -f owner-present.yaml -e production"],
  "exception list": ["exception list --status pending"],
  "exception request": [
    `exception request owner-present --resource ${unit} -e production --until 2027-03-31 --reason "the team is being formed"`,
  ],
  "exception decide": [`exception decide ${token} --approve --reason "until the team is there"`],
  "exception revoke": [`exception revoke ${token}`],
  chat: ["chat", 'chat "Why did the last plan of fleet fail?"'],
  "assistant approvals": ["assistant approvals", "assistant approvals --json"],
  "assistant decide": [
    `assistant decide ${token} approve`,
    `assistant decide ${token} refuse "not on a Friday"`,
    `assistant decide ${token} approve --arguments '{"environment":"development"}'`,
  ],
  "assistant export": ["assistant export -o assistant.tar.gz"],
  "assistant import": ["assistant import assistant.tar.gz --dry-run"],
  "assistant eval": ["assistant eval suite.yaml"],
  "adapter check": ["adapter check http://127.0.0.1:4200 --descriptor unit.yaml --yes"],
};

const mostOfGroup = 4;

/** The lines of a command, or of a group one for each of its first commands. */
export function examplesOf(command: Command, path: string): string[] {
  const own = examples[path];
  if (own !== undefined) return own.map((line) => `plinth ${line}`);
  return command.commands
    .slice(0, mostOfGroup)
    .flatMap((each) => examplesOf(each, below(path, each)).slice(0, 1));
}

/** Adds its examples to the help of every command. */
export function addExamples(command: Command, path = ""): void {
  const lines = examplesOf(command, path);
  if (lines.length > 0)
    command.addHelpText("after", ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n"));
  for (const each of command.commands) addExamples(each, below(path, each));
}

const below = (path: string, command: Command): string =>
  path === "" ? command.name() : `${path} ${command.name()}`;
