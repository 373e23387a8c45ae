import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { AnswerCache, answerUntil } from "./answer-cache";
import { entitlementOperations as operations } from "./openapi";
import { checkEntitlement, listEntitlements } from "./operations";
import { ResolvedCache } from "./resolved-cache";
import {
	EffectiveEntitlement,
	EntitlementCheckQuery,
	EntitlementsAnswer,
	EntitlementsPath,
	EntitlementsQuery,
} from "./schema";

const permit = { scope: "CUSTOMER:READ", publishable: true, customer: "id" } as const;
const params = EntitlementsPath;

/** These two reads are the hottest of all, so what they answer is remembered; see the README for when it is forgotten. */
export const entitlementRoutes = (services: Services) => {
	const { resolve } = new ResolvedCache(services.doors);
	const lists = new AnswerCache<{ data: EntitlementsAnswer }>(services.doors);
	const checks = new AnswerCache<{ data: EffectiveEntitlement }>(services.doors);

	const list = (work: Work, id: string, resource: string | null) =>
		lists.answer(work, [id, resource], () => {
			const data = listEntitlements(work, id, resource, resolve);
			return { answer: { data }, until: answerUntil(data.entitlements, resolve(work, id, resource).endsAt) };
		});

	const check = (work: Work, id: string, query: EntitlementCheckQuery) => {
		// Credits say when they were looked at, so they are looked at each time.
		if (query.featureId === undefined) return { data: checkEntitlement(work, id, query, resolve) };
		return checks.answer(work, [id, query], () => {
			const data = checkEntitlement(work, id, query, resolve);
			return { answer: { data }, until: answerUntil([data], resolve(work, id, query.resourceId || null).endsAt) };
		});
	};

	return new Elysia({ prefix: "/api/v1/customers/:id/entitlements", tags: ["Entitlements"], normalize: false })
		.use(identity(services))
		.get("", ({ read, params: { id }, query: { resourceId } }) => read((work) => list(work, id, resourceId || null)), {
			detail: operations.retrieve,
			permit,
			params,
			query: EntitlementsQuery,
			response: single(EntitlementsAnswer),
		})
		.get("/check", ({ read, params: { id }, query }) => read((work) => check(work, id, query)), {
			detail: operations.check,
			permit,
			params,
			query: EntitlementCheckQuery,
			response: single(EffectiveEntitlement),
		});
};
