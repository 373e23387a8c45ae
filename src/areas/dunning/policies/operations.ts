import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { assertSupported } from "../../../kernel/unsupported";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { namedLegalEntity } from "../../legal-entities/operations";
import { packagesByRefs } from "../../packages/operations";
import { assertApart, assertTerms, checkedRetries, chosenPolicy, unsupportedInPolicy } from "./rules";
import {
	type CustomerDunningUpdate,
	type DunningPolicyCreate,
	type DunningPolicyListQuery,
	type DunningPolicyUpdate,
	remindersDefault,
} from "./schema";
import type { PolicySource } from "./schema.values";
import {
	changeOfCustomer,
	findOfCustomer,
	findPolicy,
	hasPolicies,
	hasPolicyChangedSince,
	insertPolicy,
	pagePolicies,
	removeOfCustomer,
	saveOfCustomer,
	savePolicy,
	selectActivePolicies,
	selectPolicies,
} from "./store";
import type { DunningPolicyRow } from "./table";

/** Our bound on the active policies of an environment: each invoice reads them. */
const policiesMax = 100;

/** Whether the environment has or had a policy: then cases follow its invoices. */
export const hasDunning = (work: Work): boolean => hasPolicies(work);

/** Throws 404 for an unknown policy. */
export function getPolicy(work: Work, refId: string): DunningPolicyRow {
	const policy = findPolicy(work, refId);
	if (!policy)
		throw new HttpRefusal(
			404,
			`There is no dunning policy '${refId}' in this environment; see GET /api/v1/dunning-policies.`,
		);
	return policy;
}

/** Returns policies by row id. */
export const policiesByIds = (work: Work, ids: readonly string[]): Map<string, DunningPolicyRow> =>
	new Map(selectPolicies(work, ids).map((policy) => [policy.id, policy]));

export const listPolicies = (work: Work, query: DunningPolicyListQuery): Page<DunningPolicyRow> =>
	pagePolicies(work, query);

/** Throws DuplicatedEntityNotAllowed for an id in use, and InvalidArgumentError for terms that do not fit (`assertTerms`, `assertApart`). */
export function createPolicy(work: Work, input: DunningPolicyCreate): DunningPolicyRow {
	assertSupported(input, unsupportedInPolicy);
	const { id: refId, displayName, end, texts = [] } = input;
	if (findPolicy(work, refId))
		throw fail("DuplicatedEntityNotAllowed", `There is a dunning policy '${refId}' already; choose another id.`);
	const active = selectActivePolicies(work);
	if (active.length >= policiesMax)
		throw fail("InvalidArgumentError", `There are ${policiesMax} active dunning policies already; archive one first.`);
	const reminders = [...(input.reminders ?? remindersDefault)];
	const retries = input.retries === undefined ? null : checkedRetries(input.retries);
	const terms = { reminders, retries, endAction: end.action, endAfterDays: end.afterDays, texts };
	const scope = scopeOf(work, input.appliesTo ?? {});
	assertTerms(terms);
	assertApart({ refId, ...scope }, active);
	return insertPolicy(work, { refId, displayName, ...terms, ...scope });
}

/** Changes the named fields. Cases that run keep their schedule, and use the new texts. Throws as `createPolicy`, and EntityIsArchivedError. */
export function updatePolicy(work: Work, refId: string, input: DunningPolicyUpdate): DunningPolicyRow {
	assertSupported(input, unsupportedInPolicy);
	const policy = getPolicy(work, refId);
	assertActive(policy);
	const { displayName = policy.displayName, reminders = policy.reminders, texts = policy.texts, end } = input;
	const endTerms = end ? { endAction: end.action, endAfterDays: end.afterDays } : {};
	const retries = input.retries === undefined ? policy.retries : checkedRetries(input.retries);
	const former = { endAction: policy.endAction, endAfterDays: policy.endAfterDays };
	const terms = { ...former, ...endTerms, reminders, retries, texts };
	const kept = { isDefault: policy.isDefault, legalEntityIds: policy.legalEntityIds, planIds: policy.planIds };
	const scope = input.appliesTo ? { ...kept, ...scopeOf(work, input.appliesTo, kept) } : kept;
	assertTerms(terms);
	assertApart({ refId, ...scope }, selectActivePolicies(work));
	return savePolicy(work, policy, { displayName, ...terms, ...scope });
}

/** Archives a policy: no case starts by it any more. Cases that run continue. Archiving twice changes nothing. */
export function archivePolicy(work: Work, refId: string): DunningPolicyRow {
	const policy = getPolicy(work, refId);
	return policy.archivedAt === null ? savePolicy(work, policy, { archivedAt: work.now, isDefault: false }) : policy;
}

/** Throws EntityIsArchivedError. */
export function assertActive({ refId, archivedAt }: DunningPolicyRow): void {
	if (archivedAt !== null)
		throw fail("EntityIsArchivedError", `The dunning policy '${refId}' is archived; choose an active one.`);
}

type Scope = Pick<DunningPolicyRow, "isDefault" | "legalEntityIds" | "planIds">;

const nothing: Scope = { isDefault: false, legalEntityIds: [], planIds: [] };

function scopeOf(work: Work, input: NonNullable<DunningPolicyCreate["appliesTo"]>, kept: Scope = nothing): Scope {
	return {
		isDefault: input.isDefault ?? kept.isDefault,
		legalEntityIds: input.legalEntityIds?.map((id) => namedLegalEntity(work, id)) ?? kept.legalEntityIds,
		planIds: input.planIds ? planIdsOf(work, input.planIds) : kept.planIds,
	};
}

function planIdsOf(work: Work, refs: readonly string[]): string[] {
	const known = packagesByRefs(work, "PLAN", refs);
	return refs.map((ref, at) => {
		const plan = known.get(ref);
		if (!plan)
			throw fail("InvalidArgumentError", `'appliesTo.planIds[${at}]': there is no plan '${ref}'; create it first.`);
		return plan.id;
	});
}

export interface AppliedPolicy {
	readonly policy: DunningPolicyRow;
	readonly source: PolicySource;
}

/** An invoice as far as its policy depends on it, by row ids. */
export interface Dunned {
	readonly customerId: string;
	readonly planId: string | null;
	readonly legalEntityId: string | null;
}

/** Returns the policy of an invoice, and the level that decides: customer, plan, legal entity, environment. Undefined: none. */
export function policyOf(work: Work, { customerId, ...of }: Dunned): AppliedPolicy | undefined {
	const own = findOfCustomer(work, customerId);
	if (own?.policyId === null) return undefined;
	const [policy] = own ? selectPolicies(work, [own.policyId]) : [];
	// An archived policy starts no case, so the next level decides.
	if (policy && policy.archivedAt === null) return { policy, source: "CUSTOMER" };
	return chosenPolicy(selectActivePolicies(work), of);
}

/** Returns whether nothing that decides about a customer's policy has changed since an instant. */
export function isPolicySettledSince(work: Work, customerId: string, since: Instant): boolean {
	const changedAt = changeOfCustomer(work, customerId);
	return (changedAt === null || changedAt < since) && !hasPolicyChangedSince(work, since);
}

/** Whether the customer gets no reminders at all. */
export const isExempt = (work: Work, customerId: string): boolean =>
	findOfCustomer(work, customerId)?.policyId === null;

/** Returns the customer's own policy; undefined if it has none. */
export function ownPolicy(work: Work, customerId: string): DunningPolicyRow | undefined {
	const policyId = findOfCustomer(work, customerId)?.policyId ?? null;
	return policyId === null ? undefined : selectPolicies(work, [policyId])[0];
}

/**
 * Sets or removes the policy of a customer. Cases that run keep theirs. Throws CustomerNotFound, EntityIsArchivedError, 404 for an unknown
 * policy, and InvalidArgumentError for a policy of an exempt customer.
 */
export function setCustomerPolicy(
	work: Work,
	customerRef: string,
	{ policyId, isExempt: exempt = false }: CustomerDunningUpdate,
): CustomerRow {
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	if (exempt && typeof policyId === "string")
		throw fail("InvalidArgumentError", "'policyId' and 'isExempt' contradict each other; send one of them.");
	if (exempt) saveOfCustomer(work, { customerId: customer.id, policyId: null });
	else if (policyId == null) removeOfCustomer(work, customer.id);
	else {
		const policy = getPolicy(work, policyId);
		assertActive(policy);
		saveOfCustomer(work, { customerId: customer.id, policyId: policy.id });
	}
	return customer;
}
