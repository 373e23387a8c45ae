import { expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { getFeature } from "../../../../src/areas/features/operations";
import {
	countedEvents,
	recentlyCounted,
	usageHistory,
	usageLag,
	usageProgress,
} from "../../../../src/areas/usage/operations";
import type { Instant } from "../../../../src/kernel/clock";
import { folderOfTest } from "../../../support/folders";
import { at, count, event, ground, sumOf } from "../ground";
import { recountUsage } from "../recounted";

const period = { start: at("2026-01-30T10:37:00Z"), end: at("2026-01-30T12:10:00Z") };
const times = ["10:36:59.999", "10:37:00.000", "10:59:59.999", "11:30:00.000", "12:09:59.999", "12:10:00.000"];

/** A customer with usage in the totals, and published amounts next to them. */
function site() {
	const ours = ground();
	const acme = ours.customer("acme");
	ours.meter("calls", count);
	ours.meter("amounts", sumOf("amount"));
	const send = (key: string): void =>
		ours.take(
			times.map((time, index) =>
				event({
					idempotencyKey: `${key} ${index}`,
					timestamp: `2026-01-30T${time}Z`,
					dimensions: { amount: 0.1, group: key },
				}),
			),
		);
	const show = (): void => {
		while (ours.jobs.aggregator.count()) ours.jobs.aggregator.show();
		ours.jobs.aggregator.show();
	};
	send("totals");
	ours.jobs.aggregator.run();
	const rows = (): number =>
		ours.file
			.query<{ hours: number }, []>(
				"SELECT ifnull(sum(length(hours)) / 4, 0) AS hours FROM usage_recent WHERE after = (SELECT counted_to FROM usage_cursor)",
			)
			.get()?.hours ?? 0;
	const read = () => {
		const [whole, within] = (["calls", "amounts"] as const)
			.map((name) => [ours.usage(name, acme), ours.usage(name, acme, { period })] as const)
			.reduce<[string[], string[]]>(
				([one, other], [all, some]) => [
					[...one, all],
					[...other, some],
				],
				[[], []],
			);
		const of = { customerId: acme, resourceId: null };
		return ours.transactions.read(systemActor("env"), (work) => {
			const featureId = getFeature(work, "calls").id;
			const events = countedEvents(work, { ...of, featureId });
			const history = usageHistory(work, { ...of, featureId, period, resets: [], groupBy: ["group"] });
			return {
				whole,
				within,
				events: [events.within(period), events.before(period.end)],
				groups: history.map(({ tags, points }) => [tags[0]?.value, points.at(-1)?.value]),
				last: recentlyCounted(work, { ...of, featureId, period }, 2).map(({ idempotencyKey }) => idempotencyKey),
				lag: usageLag(work),
			};
		});
	};
	return { ours, acme, send, show, rows, read };
}

const recount = ({ folder }: ReturnType<typeof ground>): string[] => recountUsage(folder, folderOfTest());

test("published amounts count in any period, and the result stays the same when the totals hold them", () => {
	const { ours, send, show, rows, read } = site();
	for (const key of ["one", "two"]) {
		send(key);
		show();
	}
	// Three hours, twice.
	expect(rows()).toBe(6);
	const shown = {
		whole: ["18", "1.8"],
		within: ["12", "1.2"],
		events: [12, 15],
		groups: [
			["totals", "4"],
			["one", "4"],
			["two", "4"],
		],
		last: ["two 4", "one 4"],
		lag: 0,
	};
	expect(read()).toMatchObject(shown);
	expect(recount(ours)).toEqual([]);
	ours.jobs.aggregator.run();
	expect(rows()).toBe(0);
	expect(read()).toMatchObject(shown);
	expect(recount(ours)).toEqual([]);
});

test("a customer's first usage is read before the totals hold it", () => {
	const { ours, show, rows } = site();
	const bob = ours.customer("bob");
	ours.take([event({ customerId: "bob", resourceId: "r1" }), event({ customerId: "bob" })]);
	show();
	expect(rows()).toBe(2);
	expect(ours.usage("calls", bob)).toBe("1");
	expect(ours.usage("calls", bob, { resourceId: "r1" })).toBe("1");
});

test("published usage never shrinks, whenever the counting stops and starts again", () => {
	const { ours, acme, send, show, rows } = site();
	for (const key of ["one", "two"]) {
		send(key);
		show();
	}
	ours.crash(1);
	send("three");
	const seen: string[] = [];
	const counted: number[] = [];
	for (let steps = 0; steps < 40; steps += 1) {
		seen.push(ours.usage("calls", acme));
		counted.push(ours.transactions.read(systemActor("env"), usageProgress).counted);
		if (steps % 2 === 0) ours.jobs.aggregator.count();
		else ours.jobs.aggregator.show();
	}
	expect(seen.map(Number)).toEqual(seen.map(Number).sort((one, other) => one - other));
	expect(counted).toEqual([...counted].sort((one, other) => one - other));
	expect([seen[0], seen.at(-1)]).toEqual(["18", "24"]);
	expect(rows()).toBeGreaterThanOrEqual(0);
	ours.jobs.aggregator.run();
	expect(ours.usage("calls", acme, { period: { start: 0 as Instant, end: period.end } })).toBe("20");
	expect(recount(ours)).toEqual([]);
});

test("a part of an hour that was read from its events continues when the totals hold them", () => {
	const { ours, acme, send, show } = site();
	const value = () => ours.usage("calls", acme, { period });
	const seen: string[] = [];
	for (const key of ["one", "two", "three"]) {
		send(key);
		show();
		seen.push(value());
		// Published, and not read before the totals hold it together with earlier amounts.
		send(`${key} again`);
		show();
		ours.jobs.aggregator.run();
		seen.push(value());
	}
	expect(seen).toEqual(["8", "12", "16", "20", "24", "28"]);
});

test("counted amounts go directly to the totals if a meter has members", () => {
	const { ours, acme, send, show, rows } = site();
	ours.meter("users", { aggregation: { function: "UNIQUE", field: "group" }, filters: [] });
	ours.jobs.aggregator.run();
	send("one");
	show();
	expect(rows()).toBe(0);
	expect(ours.usage("users", acme)).toBe("2");
});

test("occasional readers see all usage, however often the totals were written since", () => {
	const { ours, acme, send, show } = site();
	const value = () => [ours.usage("calls", acme), ours.usage("calls", acme, { period: within })];
	// Whole hours and all time, so that published amounts suffice without events.
	const within = { start: at("2026-01-30T11:00:00Z"), end: at("2026-01-30T13:00:00Z") };
	const steps = { send, show, write: () => ours.jobs.aggregator.run() };
	let events = 6;
	const seen: string[][] = [];
	const meant: string[][] = [];
	for (const [at, step] of (
		["send", "show", "read", "send", "show", "write", "read", "send", "write", "read", "send", "show", "send"] as const
	)
		.concat(["write", "send", "show", "write", "read", "send", "write", "send", "write", "send", "show", "read"])
		.entries()) {
		if (step === "send") events += 6;
		if (step !== "read") steps[step](`key ${at}`);
		else {
			seen.push(value());
			meant.push([`${events}`, `${events / 2}`]);
		}
	}
	expect(seen).toEqual(meant);
	expect(recount(ours)).toEqual([]);
});

test("readers get their own usage from the index of published amounts, across hours and rows", () => {
	const { ours, show } = site();
	const customers = Array.from({ length: 90 }, (_, number) => ({ ref: `c${number}`, id: ours.customer(`c${number}`) }));
	const expected = new Map(customers.map(({ ref }) => [ref, 0]));
	let sent = 0;
	for (let round = 0; round < 12; round += 1) {
		// Some customers twice in a row, with hours of their own; some not at all.
		const chosen = customers.filter((_, number) => (number * 7 + round * 13) % 5 < 2);
		ours.take(
			chosen.flatMap(({ ref }, number) =>
				Array.from({ length: 1 + ((number + round) % 3) }, (_, hour) => {
					sent += 1;
					expected.set(ref, (expected.get(ref) ?? 0) + 1);
					const timestamp = `2026-01-30T${String(9 + hour).padStart(2, "0")}:30:00Z`;
					return event({ customerId: ref, idempotencyKey: `many ${sent}`, timestamp });
				}),
			),
		);
		show();
		if (round === 8) ours.jobs.aggregator.run();
		const asked = customers.filter((_, number) => round % 4 === 3 || number % 4 !== round % 4);
		expect(asked.map(({ ref, id }) => [ref, ours.usage("calls", id)])).toEqual(
			asked.map(({ ref }) => [ref, String(expected.get(ref))]),
		);
	}
});
