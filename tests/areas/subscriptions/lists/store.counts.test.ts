import { expect, test } from "bun:test";
import { play } from "../../../contract/scenario";
import type { World } from "../../../support/world";

/** Compares the stored counts with the rows. */
const both = ({ db: { $client: sqlite } }: World) => ({
	kept: {
		subscriptions: sqlite.query("SELECT * FROM subscription_counts WHERE count <> 0").values(),
		customers: sqlite.query("SELECT * FROM customer_counts").values(),
	},
	counted: {
		subscriptions: sqlite
			.query(
				`SELECT environment_id, plan_id, version_id, status, pricing_type,
					coalesce(billing_period, ''), coalesce(billing_country_code, ''), coalesce(billing_currency, ''),
					billed_until IS NOT NULL AND coalesce(payment_collection_method, '') <> 'NONE', count(*)
				FROM subscriptions GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
			)
			.values(),
		customers: sqlite
			.query("SELECT environment_id, sum(archived_at IS NULL) FROM customers GROUP BY environment_id")
			.values(),
	},
});

test("the stored counts equal the rows after any change of customers and subscriptions", async () => {
	const { here } = await play();
	const { kept, counted } = both(here);
	expect(counted.subscriptions.length).toBeGreaterThan(3);
	expect(kept).toEqual(counted);
	await here.advance("P2M");
	for (const { id } of (await here.call("GET", "/customers?limit=100")).body.data)
		await here.call("POST", `/customers/${id}/archive`);
	expect(both(here).counted).not.toEqual(counted);
	expect(both(here).kept).toEqual(both(here).counted);
});

test("a deleted row is no longer counted", async () => {
	const { here } = await play();
	here.db.$client.run("PRAGMA foreign_keys = OFF");
	here.db.$client.run("DELETE FROM subscriptions WHERE rowid % 2");
	here.db.$client.run("DELETE FROM customers WHERE rowid % 2");
	const { kept, counted } = both(here);
	expect(kept).toEqual(counted);
});
