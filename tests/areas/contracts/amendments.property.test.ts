import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slowRuns } from "../../support/runs";
import { editActive, type Here, ok, path, publish, published, totalOf } from "./amending";

describe("an amendment without change", () => {
	const cadence = fc.constantFrom("weekly", "monthly", "quarterly", "yearly", "one_time");
	const line = fc.record({
		billingCycleUnit: cadence,
		billingCycleCount: fc.integer({ min: 1, max: 3 }),
		paymentTime: fc.constantFrom("IN_ADVANCE", "IN_ARREARS"),
		prorateCutCycles: fc.boolean(),
		price: fc.integer({ min: 0, max: 100_000 }),
		discount: fc.constantFrom(0, 10, 33),
	});
	const days = (count: number) => new Date(Date.UTC(2026, 0, 31 + count)).toISOString();

	/** The invoiced lines, each by its item and its time, net of credits. */
	async function charged(here: Here): Promise<string[]> {
		const { invoices } = await ok(here, "GET", `${path}/billing/invoice-schedule`);
		return invoices
			.flatMap(({ lineItems }: { lineItems: Array<Record<string, unknown>> }) =>
				lineItems.map(({ description, periodStart, periodEnd, total }) =>
					[description, periodStart, periodEnd, total].join(" "),
				),
			)
			.toSorted();
	}

	test("issues what was to be issued: nothing twice, nothing not at all, whenever it is opened and closed, and however", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { minLength: 1, maxLength: 3 }),
				fc.integer({ min: 20, max: 400 }),
				fc.array(
					fc.tuple(
						fc.integer({ min: 0, max: 90 }),
						fc.integer({ min: 0, max: 60 }),
						fc.constantFrom("publish", "discard"),
					),
					{
						minLength: 1,
						maxLength: 3,
					},
				),
				async (lines, length, amendments) => {
					const items_ = lines.map(({ price, ...values }, at) => ({
						...{ name: `Line ${at}`, externalId: `line-${at}`, netTerms: 30, rows: [{ price: price / 100 }] },
						...values,
					}));
					const window = { activationStartDate: days(1), activationEndDate: days(1 + length) };
					const here = await published(items_, window);
					const planned = await charged(here);
					const total = await totalOf(here);
					let now = 0;
					for (const [open, close, how] of amendments) {
						now += open;
						await here.advance(days(now));
						if ((await ok(here, "GET", path)).billingState !== "ACTIVE") break;
						await ok(here, "POST", editActive);
						now += close;
						await here.advance(days(now));
						await (how === "publish" ? ok(here, "POST", publish) : ok(here, "DELETE", editActive));
						expect(await charged(here)).toEqual(planned);
					}
					await here.advance(days(now + length + 200));
					expect(await charged(here)).toEqual(planned);
					expect(await totalOf(here)).toBe(total);
					expect((await ok(here, "GET", path)).billingState).toBe("END_BILLING");
				},
			),
			slowRuns(6),
		);
	}, 60_000);
});
