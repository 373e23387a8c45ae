import { Elysia } from "elysia";
import type { Question } from "../../http/fast-path/answer-cache";
import { identity } from "../../http/identity";
import { earliest } from "../../kernel/period";
import { single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { EffectiveEntitlement } from "../entitlement-sources/schema";
import { entitlementOperations as operations } from "./openapi";
import {
	checkEntitlement,
	findEntitlement,
	findEntitlements,
	validUntilOf,
	viewAnswer,
	viewFindings,
} from "./operations";
import { explainEntitlement, explainEntitlements } from "./operations.explain";
import { ResolvedCache } from "./operations.remembered";
import { questionOf } from "./rules.question";
import {
	EntitlementCheckQuery,
	type EntitlementQuestion,
	EntitlementsAnswer,
	EntitlementsPath,
	EntitlementsQuery,
} from "./schema";

const permit = { scope: "CUSTOMER:READ", publishable: true, customer: "id" } as const;
const params = EntitlementsPath;

/**
 * These are the most frequent requests, so their answers are cached (README, "Caches"). The beta path has the same check.
 */
export const entitlementRoutes = (services: Services) => {
	const { resolve } = new ResolvedCache(services.transactions);
	const { answers } = services;
	const watch = (work: Work, customerId: string | null) =>
		customerId === null ? undefined : work.watchUsage(customerId);

	const list =
		(id: string, resource: string | null): Question<{ data: EntitlementsAnswer }> =>
		(work) => {
			const { customerId, changesAt } = resolve(work, id, resource);
			const hasNewUsage = watch(work, customerId);
			const findings = findEntitlements(work, id, resource, resolve);
			const until = earliest([changesAt, ...findings.found.map(validUntilOf)]);
			return { answer: { data: viewFindings(work, findings) }, until, hasNewUsage };
		};

	const check =
		(id: string, query: EntitlementQuestion): Question<{ data: EffectiveEntitlement }> =>
		(work) => {
			const { customerId, changesAt } = resolve(work, id, query.resourceId || null);
			const hasNewUsage = watch(work, customerId);
			const finding = findEntitlement(work, id, query, resolve);
			const until = earliest([changesAt, validUntilOf(finding)]);
			return { answer: { data: viewAnswer(work, query, finding) }, until, hasNewUsage };
		};

	const app = (prefix: "/api/v1" | "/api/v1-beta") =>
		new Elysia({ prefix: `${prefix}/customers/:id/entitlements`, tags: ["Entitlements"], normalize: false })
			.use(identity(services))
			.get(
				"/check",
				({ request, read, params: { id }, query }) =>
					read((work) => {
						const question = questionOf(query);
						if (query.explain === "true") return { data: explainEntitlement(work, id, question) };
						// Answers with credits contain the time of the read, so they are not cached.
						if (query.featureId === undefined) return { data: checkEntitlement(work, id, question, resolve) };
						return answers.answer(request, work, check(id, question));
					}),
				{
					detail: prefix === "/api/v1" ? operations.check : operations.betaCheck,
					permit,
					params,
					query: EntitlementCheckQuery,
					response: single(EffectiveEntitlement),
				},
			);
	return [
		app("/api/v1").get(
			"",
			({ request, read, params: { id }, query: { resourceId, explain } }) =>
				read((work) =>
					explain === "true"
						? { data: explainEntitlements(work, id, resourceId || null) }
						: answers.answer(request, work, list(id, resourceId || null)),
				),
			{
				detail: operations.retrieve,
				permit,
				params,
				query: EntitlementsQuery,
				response: single(EntitlementsAnswer),
			},
		),
		app("/api/v1-beta"),
	];
};
