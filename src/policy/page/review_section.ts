/**
 * The first section of a page that compares two policies: who gains and loses what, the old rules
 * beside the new ones, and the guards that are lost.
 *
 * @module
 */
import { type ClientEffect, groupByClient } from "../analysis/client_effects.ts";
import { callerName } from "../analysis/decisions.ts";
import type { Change } from "../analysis/diff.ts";
import { needsConsent } from "../analysis/guards.ts";
import { anyInWords } from "../lint/names.ts";
import { type ChangeReport, consentLines, noteOf, tokenOf } from "../report/changes.ts";
import { describeUsage, usageOf } from "../report/clients.ts";
import { sentenceFor } from "../report/comment.ts";
import { guardLine } from "../report/guards.ts";
import { describeStats } from "../report/log_stats.ts";
import { type Html, markup } from "./markup.ts";

/** Renders the section; `name` is that of the old policy. */
export function renderReview(report: ChangeReport, name: string): Html {
  return markup`<section id="review"><h2>What changes <span class="quiet">since ${name}</span></h2>
<p class="sentence">${sentenceFor(report)}</p>
${renderClients(report)}${renderRules(report, name)}${renderGuards(report)}
${consentLines(report).map((line) => markup`<p class="consent">${line}</p>`)}</section>`;
}

function renderClients({ clients }: ChangeReport): Html | undefined {
  if (clients === undefined) return undefined;
  const read = describeStats(clients.stats).trim().replaceAll("\n", ", ");
  const groups = groupByClient(clients.effects);
  if (groups.length === 0) {
    return markup`<p class="quiet">No client of the log gains or loses anything (${read}).</p>`;
  }
  const items = groups.map(([client, effects]) =>
    markup`<li><h4>${callerName(client)} <span class="quiet">${
      describeUsage(client.all)
    }</span></h4>
<ul>${effects.map(renderEffect)}</ul></li>
`
  );
  return markup`<h3>Clients <span class="quiet">${read}</span></h3>
<ul class="clients">${items}</ul>`;
}

function renderEffect(effect: ClientEffect): Html {
  const [kind, verb] = effect.effect === "gain" ? ["gain", "gains"] : ["loss", "loses"];
  return markup`<li><span class="${kind}">${verb}</span> <code>${effect.name}</code>
<span class="quiet">${usageOf(effect)}</span></li>
`;
}

function renderRules({ changes, rules }: ChangeReport, name: string): Html | undefined {
  if (changes.length === 0) return undefined;
  const rows = changes.map((change) => {
    const { before, after } = rules.get(change.name) ?? { before: undefined, after: undefined };
    return markup`<tr><th scope="row"><code>${change.name}</code>${noteOf(change)}</th>
<td data-label="${name}">${renderRule(change, before)}</td>
<td data-label="this policy">${renderRule(change, after)}</td>
<td data-label="effect">${renderEffects(change)}</td></tr>
`;
  });
  return markup`<h3>Rules</h3>
<table class="rules"><thead><tr><th scope="col">Call or field</th><th scope="col">${name}</th>
<th scope="col">This policy</th><th scope="col">Effect</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function renderRule(
  { kind }: Change,
  sets: readonly (readonly string[])[] | undefined,
): Html {
  if (sets === undefined) {
    return markup`<span class="quiet">no rule: ${kind === "call" ? "nobody" : "everyone"}</span>`;
  }
  if (sets.length === 0 || sets.some((set) => set.length === 0)) return markup`${anyInWords(sets)}`;
  return markup`${
    sets.map((set, index) =>
      markup`<span class="alternative">${index > 0 ? "or " : ""}<code>${
        set.join(" + ")
      }</code></span>`
    )
  }`;
}

function renderEffects(change: Change): Html {
  return markup`${
    change.gains.map((set) =>
      markup`<span class="gain">+ ${tokenOf(change, set)} <em>gains it</em></span>`
    )
  }${
    change.losses.map((set) =>
      markup`<span class="loss">− ${tokenOf(change, set)} <em>loses it</em></span>`
    )
  }`;
}

function renderGuards({ guards }: ChangeReport): Html | undefined {
  if (guards.length === 0) return undefined;
  const items = guards.map((guard) =>
    markup`<li${needsConsent(guard) ? markup` class="wrong"` : undefined}>${guardLine(guard)}</li>
`
  );
  return markup`<h3>Guards that are lost or weaker</h3>
<ul class="guards">${items}</ul>`;
}
