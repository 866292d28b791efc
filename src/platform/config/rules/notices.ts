/** What has to fit together in the settings of notices. */
import type { Settings } from "../schema/schema.ts";
import type { Path } from "../source/located.ts";
import type { Report } from "./report.ts";

type Noticed = Pick<Settings, "notices" | "server">;

export function checkNotices(settings: Noticed, environments: readonly string[], report: Report): void {
  const { chats, copies, mail, operators } = settings.notices;
  const checkEnvironments = (path: Path, names: readonly string[] = []): void => {
    for (const [at, name] of names.entries()) {
      if (environments.includes(name)) continue;
      report.problem([...path, "environments", at], {
        message: `names the environment ${name}, which is not configured`,
        solution: `Use one of: ${environments.join(", ")}.`,
      });
    }
  };
  const names = new Set<string>(["mail"]);
  for (const [index, chat] of chats.entries()) {
    const path = ["notices", "chats", index];
    if (names.has(chat.name))
      report.problem([...path, "name"], {
        message: chat.name === "mail" ? "is the name of the mails" : "repeats a name",
        solution: "Use another name.",
      });
    names.add(chat.name);
    checkEnvironments(path, chat.environments);
  }
  for (const [index, copy] of copies.entries())
    checkEnvironments(["notices", "copies", index], copy.environments);
  if (mail === undefined && (copies.length > 0 || operators.length > 0))
    report.warning(["notices", copies.length > 0 ? "copies" : "operators"], {
      message: "has no effect: there is no mail server",
      solution: "Set notices.mail.",
    });
  if (mail !== undefined) checkMail(settings, report);
  if ((mail !== undefined || chats.length > 0) && settings.server.baseUrl === undefined)
    report.warning(["notices"], {
      message: "has messages without links: the address of this server is not known",
      solution: "Set server.baseUrl.",
    });
}

function checkMail({ notices: { mail } }: Noticed, report: Report): void {
  if (mail === undefined) return;
  const { user, password, security } = mail;
  const path = ["notices", "mail"];
  if ((user === undefined) !== (password === undefined))
    report.problem([...path, user === undefined ? "password" : "user"], {
      message: `has no effect without ${user === undefined ? "a user" : "a password"}`,
      solution: "Give both, or neither.",
    });
  if (password !== undefined && security === "none")
    report.problem([...path, "security"], {
      message: "would send the password in clear text",
      solution: "Use starttls or tls.",
    });
}
