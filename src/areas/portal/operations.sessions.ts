import type { Instant } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import type { Actor, Work } from "../../kernel/work";
import { newSecret } from "../access/operations";
import { assertAllowed } from "../access/rules";
import { type KnownActor, type Scope, type SessionKind, sessionKinds } from "../access/rules.actors";
import { hashSecret } from "../access/rules.secrets";
import { getCustomer, getCustomerById } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import { getNamedEntity } from "../governance/operations.entities";
import { assertGovernance } from "../governance/operations.entity-types";
import { assertDelegation, assertSeesCustomer } from "./rules.delegation";
import { type PortalSessionCreate, portalMinutesDefault } from "./schema";
import {
	deleteAbandonedCheckouts,
	deleteExpiredSessions,
	deleteSession,
	findSession,
	findSessionByHash,
	insertSession,
} from "./store";
import type { CustomerSessionRow } from "./table";

const minuteMs = 60_000;

const prefixes = { PORTAL: "portal", CHECKOUT: "checkout" } as const satisfies Record<SessionKind, string>;

export interface SessionHolder {
	readonly actor: KnownActor;
	readonly allowedOrigins: readonly string[];
}

/** Whether a bearer token belongs to a customer, by its prefix. */
export const isSessionToken = (token: string): boolean =>
	sessionKinds.some((kind) => token.startsWith(`${prefixes[kind]}-`));

/** Returns the actor of a customer's link; undefined if it is unknown or expired, or its customer or environment is archived. */
export function actorOfSession(work: Work, token: string): SessionHolder | undefined {
	const found = findSessionByHash(work, hashSecret(token));
	if (!found || found.session.expiresAt <= work.machineNow) return undefined;
	const { session, environment, customerArchivedAt } = found;
	if (environment.archivedAt !== null || customerArchivedAt !== null) return undefined;
	const { id, kind } = session;
	return {
		actor: { kind, id, accountId: environment.accountId, environmentId: environment.id, scopes: new Set() },
		allowedOrigins: environment.allowedOrigins,
	};
}

export interface StartedSession {
	readonly session: CustomerSessionRow;
	/** Returned once; Tollgate stores only its hash. */
	readonly token: string;
}

type NewSession = Pick<CustomerSessionRow, "kind" | "returnUrl" | "budgets" | "entityId" | "personId"> &
	Partial<Pick<CustomerSessionRow, "requestId">> & { readonly minutes: number };

export function startSession(work: Work, customer: CustomerRow, { minutes, ...session }: NewSession): StartedSession {
	const token = newSecret(prefixes[session.kind]);
	work.secrets.push(token);
	const expiresAt = (work.machineNow + minutes * minuteMs) as Instant;
	const row = { requestId: null, ...session, customerId: customer.id, tokenHash: hashSecret(token), expiresAt };
	return { session: insertSession(work, row), token };
}

/** Asserts that the caller itself may do everything that the link allows. Throws AccessDeniedError. */
export function assertMayDelegate(actor: Actor, scopes: readonly Scope[]): void {
	for (const scope of scopes) assertAllowed(actor, { scope });
}

export interface StartedPortal extends StartedSession {
	readonly customer: CustomerRow;
	/** The caller's id of the session's entity. */
	readonly entityRef: string | undefined;
}

/**
 * Creates a link to a customer's portal. Throws CustomerNotFound, EntityIsArchivedError. With `budgets` also GovernanceNotEnabled, and
 * BadUserInput for an unknown entity.
 */
export function startPortalSession(work: Work, customerRef: string, input: PortalSessionCreate): StartedPortal {
	assertMayDelegate(work.actor, ["CUSTOMER:WRITE", "SUBSCRIPTION:WRITE", "INVOICE:READ"]);
	const {
		returnUrl = null,
		expiresInMinutes = portalMinutesDefault,
		budgets = null,
		entityId,
		personId = null,
	} = input;
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	assertDelegation(input);
	if (budgets) assertGovernance(work);
	const entity = entityId === undefined ? undefined : getNamedEntity(work, customer.id, entityId, "body/entityId");
	const started = startSession(work, customer, {
		...{ kind: "PORTAL", minutes: expiresInMinutes, returnUrl },
		...{ budgets, entityId: entity?.id ?? null, personId },
	});
	return { ...started, customer, entityRef: entity?.refId };
}

export interface OwnSession {
	readonly session: CustomerSessionRow;
	readonly customer: CustomerRow;
}

/** Returns the caller's session, whatever it shows. Only requests with a customer's link reach this function. */
export function anyOwnSession(work: Work): OwnSession {
	const session = findSession(work, work.actor.id);
	assert(session, "a session actor has a session");
	return { session, customer: getCustomerById(work, session.customerId) };
}

/** Returns the caller's session. Throws AccessDeniedError if it shows only budgets. */
export function ownSession(work: Work): OwnSession {
	const own = anyOwnSession(work);
	assertSeesCustomer(own.session);
	return own;
}

/** Ends the caller's session. */
export const endOwnSession = (work: Work): void => deleteSession(work, work.actor.id);

/** Deletes at most `rowsMax` expired sessions and returns their number. */
export const purgeCustomerSessions = deleteExpiredSessions;

/**
 * Our choice (docs/interface/customers.md#portal-and-checkout): sellers can read an unconfirmed order for a month after
 * it expired.
 */
const abandonedRetentionMs = 30 * 24 * 60 * minuteMs;

/** Deletes at most `rowsMax` unconfirmed checkouts whose retention has ended, and returns their number. */
export const purgeCheckouts = (work: Work, rowsMax: number): number =>
	deleteAbandonedCheckouts(work, (work.machineNow - abandonedRetentionMs) as Instant, rowsMax);
