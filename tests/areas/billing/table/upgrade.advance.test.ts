import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrations } from "../../../../drizzle/main";
import { migrateFile } from "../../../../src/kernel/storage/migrate";
import { packText } from "../../../../src/kernel/storage/packed-text";
import { insertInto, type Value } from "../../../support/insert";

const at = migrations.findIndex(({ name }) => name.endsWith("charges-in-advance"));
const [january, tenth, february] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 10), Date.UTC(2026, 1, 1)];
const charge = (billingModel: string) => ({ billingModel, price: { amount: "10", currency: "usd" } });
const period = { start: january, end: february };
const seats = {
	charge: charge("PER_UNIT"),
	addonRefId: null,
	featureRefId: "seats",
	quantity: "3",
	period,
	chargeId: "c1",
};
const credits = { charge: charge("PER_UNIT"), quantity: "1", period, chargeId: "c2", left: { part: "4", whole: "10" } };
const former = {
	period,
	currency: "usd",
	items: [{ charge: charge("FLAT_FEE"), quantity: "1" }],
	coupon: null,
	taxPercentage: null,
	minimum: null,
};
const charged = {
	...{ period, from: tenth, currency: "usd", coupon: { percentOff: "5", amountsOff: null }, taxPercentage: "19" },
	...{ items: [seats, credits, { ...credits, chargeId: "c3", left: undefined, isGivenBack: true }] },
	...{ minimum: { paid: "50", drawn: "20" }, setAgainst: former },
};

/** Subscriptions of the release before: one with a compressed charge, one that another system charged, and one without. */
function folderBefore(): Database {
	const db = new Database(":memory:");
	migrateFile(
		db,
		migrations.slice(0, at).map(({ name, sql }) => ({ name, sql })),
	);
	db.run("PRAGMA foreign_keys = OFF");
	const subscription = (id: string, values: Record<string, Value | Uint8Array>) =>
		insertInto(db, "subscriptions", { id, ref_id: id, environment_id: "e", billing_period: "MONTHLY", ...values });
	subscription("packed", { charged: packText(JSON.stringify(charged), 0, 2), billing_anchor_at: january });
	subscription("plain", { charged: JSON.stringify({ ...former, elsewhere: true }), billing_anchor_at: january });
	subscription("free", {});
	return db;
}

test("the charge in advance of a subscription becomes charges in the order of its items, with their periods", () => {
	const db = folderBefore();
	const step = migrations[at];
	for (const sql of step?.sql.split("--> statement-breakpoint") ?? []) db.run(sql);
	step?.move?.(db);
	const columns = "SELECT id, charged_from, charged_currency, charged_minimum FROM subscriptions ORDER BY id";
	expect(db.query(columns).values()).toEqual([
		["free", null, null, null],
		["packed", tenth, "usd", JSON.stringify(charged.minimum)],
		["plain", january, "usd", null],
	]);
	const rows = db
		.query<Record<string, Value>, []>(
			`SELECT * FROM billing_charges JOIN charge_periods ON charge_id = id ORDER BY owner_id, "key"`,
		)
		.all()
		.map((row) => [
			...[row.owner_id, row.key, row.position, row.state, row.starts_at, row.ends_at, row.whole_starts_at],
			...[row.line_charge_id, row.left],
		]);
	expect(rows).toEqual([
		["packed", 'advance/[null,"seats","PER_UNIT"]', 0, "BILLED", tenth, february, january, "c1", null],
		[
			"packed",
			'advance/[null,null,"PER_UNIT"]',
			1,
			"BILLED",
			tenth,
			february,
			january,
			"c2",
			'{"part":"4","whole":"10"}',
		],
		[
			"packed",
			'advance/[null,null,"PER_UNIT"]#1',
			2,
			"BILLED",
			tenth,
			february,
			january,
			"c3",
			'{"part":"0","whole":"0"}',
		],
		["packed", 'set-against/[null,null,"FLAT_FEE"]', 0, "ELSEWHERE", january, february, null, null, null],
		["plain", 'advance/[null,null,"FLAT_FEE"]', 0, "ELSEWHERE", january, february, null, null, null],
	]);
	const [first] = db.query<{ terms: string }, []>(`SELECT terms FROM billing_charges WHERE "key" LIKE '%seats%'`).all();
	const { chargeId: _, period: __, ...item } = seats;
	expect(JSON.parse(first?.terms ?? "")).toEqual({ item, coupon: charged.coupon, taxPercentage: "19" });
});
