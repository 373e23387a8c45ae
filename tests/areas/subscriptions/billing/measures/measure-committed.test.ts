import { expect, setDefaultTimeout, test } from "bun:test";
import { till } from "../../billing";

setDefaultTimeout(60_000);

const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const hours = 59 * 24;
const models = ["large", "small", "other"];

/** In cents: units of 0.12, 0.05 and 0.02 in each hour, at least 0.30, and everything above 0.30 doubled. */
const centsOf = { large: 12, small: 5, other: 2 } as const;
const ownedBy = (used: number): number => 30 + Math.max(0, used - 30) * 2;

test("a commitment by hours over more totals than a transaction reads costs what a loop over the hours finds", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [
		{
			...{ billingModel: "USAGE_BASED", featureId: "calls" },
			pricePeriods: [
				{
					...{ billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 59 } },
					price: { amount: 0.02 },
					variants: [
						{ id: "large", match: { model: ["large"] }, price: { amount: 0.12 } },
						{ id: "small", match: { model: ["small"] }, price: { amount: 0.05 } },
					],
					commitment: { amount: 0.3, overageFactor: 2, interval: { unit: "HOUR", count: 1 } },
				},
			],
		},
	]);
	await ours.buy("pro");
	const used = Array.from({ length: hours }, () => 0);
	const send = async (key: string, uses: ReadonlyArray<readonly [hour: number, model: string, n: number]>) => {
		for (let from = 0; from < uses.length; from += 1000)
			await ours.insist("POST", "/events", {
				events: uses.slice(from, from + 1000).map(([hour, model, n], at) => ({
					...{
						eventName: "calls",
						customerId: "acme",
						idempotencyKey: `${key}-${from + at}`,
						dimensions: { model, n },
					},
					timestamp: new Date(start + hour * hourMs + at).toISOString(),
				})),
			});
		ours.countUsage();
		for (const [hour, model, n] of uses) used[hour] = (used[hour] ?? 0) + n * centsOf[model as keyof typeof centsOf];
	};
	await ours.advance("2026-02-28T23:00:00Z");
	await send(
		"first",
		used.flatMap((_, hour) =>
			models.flatMap((model, at) =>
				(hour + at) % 7 < 4 ? [[hour, model, ((hour * (at + 3)) % 11) + 1] as const] : [],
			),
		),
	);
	await ours.advance("2026-03-01T00:00:00Z");
	const total = () => used.reduce((sum, one) => sum + ownedBy(one), 0) / 100;
	const billed = total();
	expect((await ours.books())[0]).toStartWith(`2026-03-01: ${billed} = `);
	await send("late", [
		[5, "large", 7],
		[700, "small", 1],
	]);
	await ours.advance("2026-04-30T00:00:00Z");
	const [, next] = await ours.books();
	const more = Math.round((total() - billed) * 100) / 100;
	expect(next).toContain(`(pro) ${more}`);
});
