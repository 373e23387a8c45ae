import { expect, test } from "bun:test";
import { schemas } from "../../../../src/files";
import { openFile, prepareFiles } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { at, count, event, ground, type SentEvent } from "../ground";
import { recountUsage } from "../recounted";

type Site = ReturnType<typeof ground>;

const early = (key: string, more: Partial<SentEvent> = {}): SentEvent =>
	event({ customerId: "later", idempotencyKey: key, timestamp: "2026-01-30T10:40:00Z", ...more });

const accept = (site: Site, events: readonly SentEvent[]): void =>
	expect(site.send(events, "env", "accept")).toEqual({ kind: "accepted" });

function withMeter(): Site {
	const site = ground();
	site.meter("calls", count);
	return site;
}

const owners = ({ file }: Site): string[] =>
	file
		.query<{ name: string }, []>("SELECT customer_id || '/' || resource_ref AS name FROM usage_subjects ORDER BY name")
		.all()
		.map(({ name }) => name);

test("a customer takes over the events that came before it, with those of its resources", () => {
	const site = withMeter();
	accept(site, [early("k1"), early("k2", { resourceId: "r1" })]);
	site.jobs.aggregator.run();
	expect(owners(site)).toEqual(["#1/", "#1/r1"]);
	const later = site.customer("later");
	site.jobs.aggregator.run();
	expect(owners(site)).toEqual([`${later}/`, `${later}/r1`]);
	expect([site.usage("calls", later), site.usage("calls", later, { resourceId: "r1" })]).toEqual(["1", "1"]);
});

test("events before and after the customer's creation are counted for one subject, in whatever order they are shown", () => {
	const site = withMeter();
	const within = { start: at("2026-01-30T10:37:12.345Z"), end: at("2026-01-30T11:00:00Z") };
	accept(site, [early("k0", { customerId: "another" })]);
	site.jobs.aggregator.run();
	accept(site, [early("k1")]);
	site.jobs.aggregator.count();
	site.jobs.aggregator.show();
	const later = site.customer("later");
	expect(site.usage("calls", later)).toBe("0");
	accept(site, [early("k2")]);
	site.jobs.aggregator.count();
	site.jobs.aggregator.show();
	expect([site.usage("calls", later), site.usage("calls", later, { period: within })]).toEqual(["2", "2"]);
	site.crash(1);
	accept(site, [early("k3")]);
	site.jobs.aggregator.run();
	expect([site.usage("calls", later), site.usage("calls", later, { period: within })]).toEqual(["3", "3"]);
	expect(owners(site).filter((owner) => owner.startsWith(later))).toEqual([`${later}/`]);
	expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
});

test("finds the created customer among more than one step checks", () => {
	const site = withMeter();
	for (let from = 0; from < 1200; from += 400)
		accept(
			site,
			Array.from({ length: 400 }, (_, index) => early("k", { customerId: `c-${from + index}` })),
		);
	site.jobs.aggregator.run();
	const created = ["c-3", "c-700", "c-1199"].map((id) => site.customer(id));
	site.jobs.aggregator.run();
	expect(created.map((id) => site.usage("calls", id))).toEqual(["1", "1", "1"]);
});

test("a customer that is created while nothing is counted shows its earlier events with the next write", () => {
	const site = withMeter();
	accept(site, [early("k1")]);
	site.jobs.aggregator.run();
	const later = site.customer("later");
	// The reader caches that nothing is counted.
	expect(site.usage("calls", later)).toBe("0");
	site.jobs.aggregator.step();
	expect(site.usage("calls", later)).toBe("1");
});

/** Changes the totals to those of a release that kept early events in a table of their own. */
function toFormerRelease({ folder }: Site): void {
	const usage = openFile(folder, "usage").$client;
	usage.run(
		"CREATE TABLE usage_unattributed (customer integer NOT NULL, event_id integer NOT NULL, PRIMARY KEY (customer, event_id)) WITHOUT ROWID",
	);
	const early = "(SELECT id FROM usage_subjects WHERE customer_id LIKE '#%')";
	for (const { first, offsets } of usage
		.query<{ first: number; offsets: Uint8Array }, []>(
			`SELECT first_event AS first, offsets FROM usage_events_by_hour WHERE subject_id IN ${early}`,
		)
		.all())
		for (const offset of new Uint32Array(offsets.slice().buffer))
			usage.run("INSERT INTO usage_unattributed (customer, event_id) VALUES (1, ?)", [first + offset]);
	for (const table of ["usage_events_by_hour", "usage_totals"])
		usage.run(`DELETE FROM ${table} WHERE subject_id IN ${early}`);
	usage.run("DELETE FROM usage_subjects WHERE customer_id LIKE '#%'");
	usage.run("DROP TABLE usage_segments");
	const { version = 0 } =
		usage.query<{ version: number }, []>("SELECT user_version AS version FROM pragma_user_version").get() ?? {};
	usage.run(`PRAGMA user_version = ${version - 2}`);
	usage.close();
}

test.each(["while a new meter is counted", "while none is"])(
	"early events of a former release are counted after the upgrade, %s",
	(when) => {
		const site = withMeter();
		const acme = site.customer("acme");
		accept(site, [early("k1"), early("k2"), event()]);
		site.jobs.aggregator.run();
		site.jobs.aggregator.close();
		toFormerRelease(site);
		if (when === "while a new meter is counted") {
			site.changeMeter("calls", { ...count, filters: [] });
			const usage = openFile(site.folder, "usage").$client;
			usage.run("UPDATE usage_counters SET state = 'FILLING', counted_to = 1");
			usage.close();
		}
		prepareFiles(site.folder, schemas);
		site.crash(1);
		const later = site.customer("later");
		accept(site, [early("k3"), event({ idempotencyKey: "k2" })]);
		site.jobs.aggregator.run();
		expect([site.usage("calls", later), site.usage("calls", acme)]).toEqual(["3", "2"]);
		expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
	},
);
