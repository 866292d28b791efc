/** Pure. Where somebody goes after a sign-in: a path of this server, whatever a link to the sign-in asks for. */

const maxLength = 500;

/**
 * The wanted path where it is one, else `/`. A browser reads `//host` and `/\host` as another server, and leaves tabs and line ends
 * out before it does.
 */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > maxLength) return "/";
  const isPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted);
  return isPath && new URL(wanted, nowhere).origin === nowhere ? wanted : "/";
}

const nowhere = "http://nowhere.invalid";
