import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../support/process";
import { compareRecordings, describe as described } from "./compare";
import type { Recording } from "./entry";
import { loadRecorded, type Recorded, saveRecorded } from "./files";
import { makePlan } from "./make-plan";
import { recordingOf } from "./normalize";
import { smallSize } from "./plan";
import { record, recordUpgraded } from "./record";

// Two servers play some hundred requests each.
setDefaultTimeout(300_000);

const { folder, remove } = temporaryFolder();
let recorded: Recorded;
beforeAll(async () => {
	recorded = await record(await makePlan(smallSize), join(folder, "first"));
});
afterAll(remove);

const changesOf = (before: Recording, after: Recording) => compareRecordings(before, after).changed;

/** Returns the recording with one value replaced. */
function planted(kind: string, from: RegExp, to: string): Recording {
	const entries = [...(recorded.recording.get(kind) ?? [])];
	const at = entries.findIndex(([, value]) => from.test(value));
	expect(at).toBeGreaterThanOrEqual(0);
	const changed = entries.map(([key, value], nth) => [key, nth === at ? value.replace(from, to) : value] as const);
	return new Map([...recorded.recording, [kind, new Map(changed)]]);
}

test("the plan covers subscriptions, contracts, usage, credits and payments", () => {
	const kinds = [...recorded.recording].map(([kind, { size }]) => ({ kind, hasEntries: size > 0 }));
	for (const kind of [
		"invoices",
		"credit-notes",
		"contracts",
		"credits",
		"usage",
		"explanations",
		"previews",
		"graphql",
	])
		expect(kinds).toContainEqual({ kind, hasEntries: true });
	const accepted = [...(recorded.recording.get("responses")?.values() ?? [])].filter((value) =>
		/"status":20/.test(value),
	);
	expect(accepted.length).toBeGreaterThan(recorded.plan.steps.length * 0.8);
});

test("a second server answers the same, key by key", async () => {
	const { plan, queries } = recorded;
	const second = await record(plan, join(folder, "second"), { queries });
	expect(described("", changesOf(recorded.recording, second.recording), 20)).toEqual([]);
	expect(changesOf(second.recording, recorded.recording)).toEqual([]);
});

test("a copy of the folder is read like the folder", async () => {
	const upgraded = await recordUpgraded(recorded, join(folder, "first"), join(folder, "copy"));
	const before = new Map([...recorded.recording].filter(([kind]) => kind !== "responses"));
	expect(described("", changesOf(before, upgraded.recording), 20)).toEqual([]);
});

describe("a planted change is reported", () => {
	test("an amount", () => {
		const [change, ...others] = changesOf(recorded.recording, planted("invoices", /"total":[\d.]+/, '"total":0.07'));
		expect(others).toEqual([]);
		expect(change).toMatchObject({ kind: "invoices", path: expect.stringContaining("total"), after: "0.07" });
	});

	test("a key that is missing", () => {
		const [change] = changesOf(recorded.recording, planted("subscriptions", /"planId":"[^"]+",/, ""));
		expect(change).toMatchObject({
			kind: "subscriptions",
			path: expect.stringContaining("planId"),
			after: "(nothing)",
		});
	});

	test("an entry that is missing", () => {
		const [first = ""] = recorded.recording.get("explanations")?.keys() ?? [];
		const fewer = new Map([...(recorded.recording.get("explanations") ?? [])].filter(([key]) => key !== first));
		const changes = changesOf(recorded.recording, new Map([...recorded.recording, ["explanations", fewer]]));
		expect(changes).toMatchObject([{ kind: "explanations", key: first, after: "(nothing)" }]);
	});

	test("but a new key is listed apart, and so is a sentence with other words", () => {
		const added = compareRecordings(recorded.recording, planted("invoices", /"total":/, '"paidBy":"CARD","total":'));
		expect(added).toMatchObject({ changed: [], reworded: [], added: [{ after: '"CARD"' }] });
		const text = compareRecordings(recorded.recording, planted("explanations", /"The /, '"Our '));
		expect(text.changed).toEqual([]);
	});
});

test("a saved recording loads as it was", () => {
	const kinds = new Map([...recorded.recording].filter(([kind]) => kind === "invoices" || kind === "plan"));
	const target = join(folder, "saved");
	saveRecorded(target, { ...recorded, recording: kinds });
	expect(loadRecorded(target)).toEqual({ ...recorded, recording: kinds });
});

test("a fraction with many digits is no time of the machine", () => {
	const names = new Map<string, string>();
	const entry = { kind: "credits", key: "k", value: { amount: 0.1234567890123, after: 1_792_270_954_759 } };
	const [value] = recordingOf([entry], names).get("credits")?.values() ?? [];
	expect(value).toBe('{"amount":0.1234567890123,"after":"<machine time>"}');
});
