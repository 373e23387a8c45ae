import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { whilePlanted } from "../../../../support/planted";
import { findings } from "../../../pricing/window-cost/findings";
import type { Till } from "../../billing";
import { sold, usd } from "../commitments/committed";

setDefaultTimeout(60_000);

let ours: Till;
beforeAll(async () => {
	ours = await sold([usd(500, { overageFactor: 1.5 })]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	await ours.use("calls", 50, "2026-04-20T00:00:00Z");
	await ours.advance("2026-06-01T00:00:00Z");
	expect(findings(ours)).toEqual([]);
});

const settled = (change: string) =>
	`update charge_periods set settled = ${change} where settled is not null and revision = 1`;
const terms = "(select id from billing_charges where key = 'commitment/ALL' and replaced_at is null)";

const planted = [
	["the sum of its charges", settled("json_set(settled, '$.spent', '400')"), "counts towards the commitment"],
	["its amount", settled("json_set(settled, '$.parts[0].amount', '450')"), "owes 450, expected 500"],
	["a share", settled("json_set(settled, '$.parts[0].share', json('{\"partMs\":1,\"wholeMs\":2}'))"), "expected 500"],
	["its shortfall", settled("json_set(settled, '$.shortfall', '31')"), "its shortfall counts as 31, expected 30"],
	["its excess", settled("json_set(settled, '$.excess', '5')"), "its excess counts as 5, expected 0"],
	[
		"the charged amount",
		"update charge_periods set rated = json_set(rated, '$.subTotal', '-40') where settled is not null and revision = 1",
		"counts as charged",
	],
	[
		"its tax",
		"update charge_periods set rated = json_set(rated, '$.tax', '1') where settled is not null and revision = 1",
		"its tax counts as",
	],
	[
		"the amount of its line",
		"update invoice_lines set amount = '81', total = '81' where description = 'Commitment' and amount = '80'",
		"amount",
	],
	[
		"its window",
		"update charge_periods set ends_at = ends_at + 86400000 where settled is not null and revision = 0",
		"begins before",
	],
	["the running window", `delete from billing_charges where id = ${terms}`, "no window of its commitment ALL runs"],
] as const;

test.each(planted)("the check finds a planted error in a window of a commitment: %s", (_, statement, text) => {
	const found = whilePlanted(ours.db.$client, statement, () => findings(ours));
	expect(found.join("\n")).toContain(text);
});
