/** Colours for a terminal, by what they mean. Pure. */
export type Paint = (text: string) => string;

export interface Styles {
  good: Paint;
  bad: Paint;
  attention: Paint;
  faint: Paint;
  strong: Paint;
}

const escape =
  (open: number, close: number): Paint =>
  (text) =>
    text === "" ? "" : `\u001B[${open}m${text}\u001B[${close}m`;

const colored: Styles = {
  good: escape(32, 39),
  bad: escape(31, 39),
  attention: escape(33, 39),
  faint: escape(2, 22),
  strong: escape(1, 22),
};

const same: Paint = (text) => text;
const plain: Styles = { good: same, bad: same, attention: same, faint: same, strong: same };

export const stylesFor = (hasColor: boolean): Styles => (hasColor ? colored : plain);

/** The colour of a status or an action. */
export function paintOf(styles: Styles, word: string): Paint {
  if (/^(?:COMPLETED|DEPLOYED|DEPLOY|OK|SUCCEEDED|GRANTED|REVOKED|DONE|NO_DRIFT|SETTLED)$/.test(word))
    return styles.good;
  if (/^(?:FAILED|CORRUPT|UNDEPLOY|KO|ERROR|REJECTED|EXPIRED|DRIFTED)$/.test(word)) return styles.bad;
  if (
    /^(?:RUNNING|REDEPLOY|TERMINAT|PROVISIONING_IN|PARTIALLY|WARNING|APPLYING|UNKNOWN|OPEN|IN_PROGRESS)/.test(
      word,
    )
  )
    return styles.attention;
  return styles.faint;
}
