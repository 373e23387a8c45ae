import { rules } from "./rules";
import type { Sale, Scenario, Step, System } from "./scenario";

/** Returns the page that lists all scenarios: `bun tests/figures-of-others/make.ts` writes it. */
export function documentOf(systems: readonly System[]): string {
	const scenarios = systems.flatMap((system) => system.scenarios);
	const equal = scenarios.filter(({ ours }) => !ours).length;
	return `${[
		"# Figures of other systems",
		introduction(systems, scenarios.length, equal),
		"## Rules that cause a difference",
		["| Rule | Our rule, and the other one |", "|---|---|"]
			.concat(Object.entries(rules).map(([key, text]) => `| \`${key}\` | ${text} |`))
			.join("\n"),
		...systems.map(section),
	].join("\n\n")}\n`;
}

const introduction = (systems: readonly System[], all: number, equal: number) =>
	`The public tests of other billing systems state dates, prices and figures. This page lists ${all} scenarios of
${systems.map(({ name, scenarios }) => `${name} (${scenarios.length})`).join(", ")}, in our own words.
\`tests/figures-of-others/\` plays each of them through the API on a test clock. ${equal} figures are the same. For each other figure, the table names the
rule that causes the difference. A test compares this page with the data, and \`bun tests/figures-of-others/make.ts\` writes it.

- A scenario uses our terms that come nearest to those of the other system, for example \`BY_DAY\` where it counts days.
- Where a test of theirs states only a share or a number of periods, the table applies it to the price in the row. Where it states no date, as most
  tests of price models, the row has a date of ours.
- One row can combine tests that look at the same subscription on several dates.
- Amounts are US dollars. A day shows the net amount of all invoices and credit notes of that day. A sum is the net amount of all days.
- A period ends at the first instant that is no longer in it. Some systems name the last second before.
- Dates without a time are midnight: in UTC for steps, in the zone of the subscription for figures.`;

function section({ name, repository, commit, license, scenarios }: System): string {
	const sources = sourcesOf(scenarios);
	return [
		`## ${name}`,
		`[${repository.replace("https://", "")}](${repository}) at \`${commit.slice(0, 12)}\`, license ${license}.`,
		[
			"| | Scenario | Steps | Their figure | Ours |",
			"|---|---|---|---|---|",
			...scenarios.map((scenario) => rowOf(scenario, labelOf(name, sources.indexOf(scenario.source)))),
		].join("\n"),
		sources.map((source, at) => `[${labelOf(name, at)}]: ${repository}/blob/${commit}/${source}`).join("\n"),
	].join("\n\n");
}

const sourcesOf = (scenarios: readonly Scenario[]): string[] => [...new Set(scenarios.map(({ source }) => source))];
const labelOf = (name: string, at: number): string => `${name} ${at + 1}`;

const rowOf = ({ id, title, steps, until, theirs, ours }: Scenario, label: string): string =>
	`| [${id}][${label}] | ${title} | ${[...steps.map(wordsOf), `${dated(until)} figure`].join("; ")} | ${theirs} | ${ours ? `${ours[0]} (\`${ours[1]}\`)` : "the same"} |`;

const dated = (at: string): string => at.replace("T", " ");

function wordsOf(step: Step): string {
	const at = dated(step[0]);
	switch (step[1]) {
		case "start":
		case "replace":
			return `${at} ${step[1]} ${saleOf(step[2])}${step[3] === undefined ? "" : `, ${step[3]} seats`}`;
		case "change":
			return `${at} change ${jsonOf(step[2])}`;
		case "use":
			return `${at} use ${step[2].join(", ") || "nothing"}`;
		case "seats":
			return `${at} ${step[2]} seats`;
		case "end on":
			return `${at} announce the end on ${dated(step[2])}`;
		default:
			return `${at} ${step[1]}${"2" in step && step[2] ? ` ${jsonOf(step[2])}` : ""}`;
	}
}

const saleOf = ({
	price,
	seatPrice,
	usage,
	usageModel,
	every = "MONTH",
	anchor,
	zone,
	mode,
	inArrears,
	...more
}: Sale) =>
	[
		...(price === undefined ? [] : [price.toFixed(2)]),
		...(seatPrice === undefined ? [] : [`${seatPrice.toFixed(2)} a seat`]),
		...(usage || usageModel ? [`usage ${jsonOf({ ...usageModel, ...usage })}`] : []),
		spoken(every),
		...(anchor === undefined ? [] : [typeof anchor === "number" ? `day ${anchor}` : jsonOf(anchor)]),
		...(zone ? [zone] : []),
		...(mode ? [mode] : []),
		...(inArrears ? ["in arrears"] : []),
		...(Object.keys(more).length > 0 ? [jsonOf(more)] : []),
	].join(", ");

/** "a month" for MONTH, "3 months" for 3 MONTH. */
function spoken(every: string): string {
	const [count, unit] = every.split(" ");
	return unit ? `${count} ${unit.toLowerCase()}s` : `a ${every.toLowerCase()}`;
}

/** JSON without the quotation marks, as code. */
const jsonOf = (value: object): string => `\`${JSON.stringify(value).replaceAll('"', "").replaceAll(",", ", ")}\``;
