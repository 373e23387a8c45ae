import { recordReachedBudget } from "../../../src/areas/entitlements/alerts/operations.budgets";
import { TreeUsage } from "../../../src/areas/governance/tree/follow";
import { preparedWorld, type World, type world } from "../../support/world";
import { maker, metered } from "../packages/catalogue";

const beta = "/api/v1-beta";

/**
 * A plan `team` with 1,000 `tokens` a month; a use of `images` costs two credits, of which `acme` has 1,000. The team `research` has the
 * agents `drafter` and `reviewer`, and `gpt` is a model. `budget` assigns budgets.
 */
export async function site(settings: Parameters<typeof world>[0] = {}) {
	const ours = await preparedWorld("governance", fill, settings);
	const path = "/customers/acme/entitlements";
	const put = (assignments: readonly object[]) =>
		ours.call("PUT", `${beta}/customers/acme/assignments`, { body: { assignments } });
	return {
		...ours,
		beta,
		put,
		/** Assigns monthly budgets of tokens unless an item says otherwise. */
		budget: (...assignments: readonly object[]) =>
			must(
				put(
					assignments.map((one) => ({
						...("currencyId" in one ? {} : { featureId: "tokens" }),
						cadence: "P1M",
						...one,
					})),
				),
			),
		consume: (amount: number, dimensions: object, featureId = "tokens") =>
			ours.call("POST", `${path}/${featureId}/consume`, { body: { amount, dimensions } }),
		reserve: (amount: number, dimensions: object, more: object = {}) =>
			ours.call("POST", `${path}/tokens/reservations`, { body: { amount, dimensions, ...more } }),
		report: (...usages: object[]) =>
			ours.call("POST", "/usage", {
				body: { usages: usages.map((one) => ({ customerId: "acme", featureId: "tokens", ...one })) },
			}),
		/** Follows the usage of budgets, as the job does. */
		follow: () => new TreeUsage(ours.thread, recordReachedBudget).run(),
		check: async (query: string) => (await ours.call("GET", `${beta}${path}/check?${query}`)).body.data,
		/** The usage of each budget in its current window, by entity and scope. */
		usage: async (query = "featureIds=tokens"): Promise<Record<string, number>> => {
			const { body } = await ours.call(
				"GET",
				`${beta}/customers/acme/governance?sortBy=id&order=asc&limit=100&${query}`,
			);
			return Object.fromEntries(
				body.data.map((node: { entityId: string; scopeEntityIds: string[]; currentUsage: number }) => [
					[node.entityId, ...node.scopeEntityIds].join("/"),
					node.currentUsage,
				]),
			);
		},
	};
}

async function fill(ours: World): Promise<void> {
	const make = maker(ours);
	await make.product();
	for (const id of ["tokens", "blocks", "images"])
		await make.feature(
			id,
			id === "blocks" ? { ...metered, unitTransformation: { divide: 1000, round: "UP" } } : metered,
		);
	await make.currency("credits");
	await make.plan("team");
	await make.entitle(
		"/plans/team",
		{ type: "FEATURE", id: "tokens", usageLimit: 1000 },
		{ type: "FEATURE", id: "blocks", usageLimit: 1000 },
		{ type: "FEATURE", id: "images", hasUnlimitedUsage: true },
		{ type: "CREDIT", id: "credits", amount: 1000, cadence: "MONTH" },
	);
	const pricePeriods = [{ billingPeriod: "MONTHLY", creditRate: { amount: 2, currencyId: "credits" } }];
	await make.charge("/plans/team", {
		pricingType: "PAID",
		pricingModels: [{ billingModel: "CREDIT_BASED", featureId: "images", pricePeriods }],
	});
	await make.publish("/plans/team");
	await must(ours.call("POST", "/customers", { body: { id: "acme" } }));
	await must(ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "team" } }));
	await must(
		ours.call("PUT", `${beta}/entity-types`, {
			body: {
				types: [
					{ id: "team", displayName: "Team", attributionKeys: ["teamId"] },
					{ id: "agent", displayName: "Agent", attributionKeys: ["agentId", "userId"] },
					{ id: "model", displayName: "Model", attributionKeys: ["model"] },
				],
			},
		}),
	);
	const entities = [
		{ id: "research", entityTypeId: "team", displayName: "Research" },
		{ id: "drafter", entityTypeId: "agent" },
		{ id: "reviewer", entityTypeId: "agent" },
		{ id: "gpt", entityTypeId: "model" },
	];
	await must(ours.call("PUT", `${beta}/customers/acme/entities`, { body: { entities } }));
}

/** Returns the answer of a call that succeeds. */
export async function must<T extends { readonly status: number; readonly body: unknown }>(
	call: Promise<T>,
): Promise<T> {
	const answer = await call;
	if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
	return answer;
}

export type Site = Awaited<ReturnType<typeof site>>;
