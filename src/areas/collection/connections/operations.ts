import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Cause, Work } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import { namedLegalEntity } from "../../legal-entities/operations";
import { planCall } from "../calls/operations";
import type { CallOutcome } from "../calls/table";
import { assertMayBeLive, formerSecretMs, type VerifiedAccount, wrongMode } from "./rules";
import { type ConnectionListQuery, connectionsMax } from "./schema";
import {
	activeConnections,
	countConnections,
	findReceiver,
	insertConnection,
	pageConnections,
	saveConnection,
	selectConnections,
} from "./store";
import type { ProviderConnectionRow } from "./table";

/** A new connection: its secrets are sealed. */
export type PlannedConnection = Pick<
	ProviderConnectionRow,
	"id" | "kind" | "name" | "mode" | "legalEntityRefId" | "sealedSecret" | "sealedWebhookSecret"
>;

/** Changes of a connection. An omitted member stays. */
export type ConnectionChange = Partial<
	Pick<ProviderConnectionRow, "name" | "legalEntityRefId" | "sealedSecret" | "sealedWebhookSecret">
>;

/** The change that a verification carries: a whole connection, or changes of an existing one. */
export type PlannedChange =
	| { readonly isNew: true; readonly connection: PlannedConnection }
	| { readonly isNew: false; readonly id: string; readonly change: ConnectionChange };

/** Throws IntegrationNotFound. */
export function getConnection(work: Work, id: string): ProviderConnectionRow {
	const [connection] = selectConnections(work, [id]);
	if (!connection)
		throw fail("IntegrationNotFound", `There is no provider connection '${id}'; see GET /api/v1/provider-connections.`);
	return connection;
}

/** Returns the connection with that id of any environment, for the provider's events. Throws IntegrationNotFound. */
export function getReceiver(work: Work, id: string): ProviderConnectionRow {
	const connection = findReceiver(work, id);
	if (!connection)
		throw fail("IntegrationNotFound", `There is no provider connection '${id}'; see GET /api/v1/provider-connections.`);
	return connection;
}

export const connectionsByIds = (work: Work, ids: readonly string[]): Map<string, ProviderConnectionRow> =>
	new Map(selectConnections(work, ids).map((row) => [row.id, row]));

/** Returns the connections that are not archived, the oldest first. */
export const listActiveConnections = (work: Work): ProviderConnectionRow[] => activeConnections(work);

/**
 * Returns the named connection, or the only one. Throws BillingIntegrationMissing, IntegrationNotFound, EntityIsArchivedError;
 * InvalidArgumentError if none is named and there are several.
 */
export function chooseConnection(work: Work, id: string | undefined): ProviderConnectionRow {
	if (id !== undefined) {
		const connection = getConnection(work, id);
		assertNotArchived(connection);
		return connection;
	}
	const [connection, another] = activeConnections(work);
	if (!connection)
		throw fail(
			"BillingIntegrationMissing",
			"No payment provider is connected; connect one by POST /api/v1/provider-connections.",
		);
	if (another)
		throw fail("InvalidArgumentError", "Several payment providers are connected; name one by 'connectionId'.");
	return connection;
}

/** Newest first. */
export const listConnections = (work: Work, query: ConnectionListQuery): Page<ProviderConnectionRow> =>
	pageConnections(work, query);

/**
 * Makes a change of a connection, or plans the call that verifies its credentials first. Returns the id of the call; null if the change
 * is done. Throws IntegrationNotFound, EntityIsArchivedError, InvalidArgumentError, BadUserInput.
 */
export function changeConnection(
	work: Work,
	{ planned, cause }: { planned: PlannedChange; cause: Cause },
): string | null {
	Object.assign(work.cause, cause);
	if (planned.isNew) {
		assertCanBeAdded(work, planned.connection);
		return planVerification(work, planned.connection.id, planned);
	}
	const connection = getConnection(work, planned.id);
	assertNotArchived(connection);
	if (planned.change.legalEntityRefId != null) namedLegalEntity(work, planned.change.legalEntityRefId);
	if (planned.change.sealedSecret !== undefined) return planVerification(work, planned.id, planned);
	applyChange(work, connection, planned.change);
	return null;
}

const planVerification = (work: Work, subjectId: string, planned: PlannedChange): string =>
	planCall(work, { kind: "VERIFY_CONNECTION", subjectId, request: { ...planned } }).id;

function assertCanBeAdded(work: Work, { mode, legalEntityRefId }: PlannedConnection): void {
	assertMayBeLive(mode, findEnvironment(work, work.actor.environmentId)?.kind);
	if (legalEntityRefId !== null) namedLegalEntity(work, legalEntityRefId);
	if (countConnections(work) >= connectionsMax)
		throw fail("BadUserInput", `This environment has ${connectionsMax} provider connections; archive one first.`);
}

function assertNotArchived({ id, archivedAt }: ProviderConnectionRow): void {
	if (archivedAt !== null)
		throw fail("EntityIsArchivedError", `The provider connection '${id}' is archived; create another one.`);
}

function applyChange(work: Work, connection: ProviderConnectionRow, change: ConnectionChange): void {
	const { sealedWebhookSecret } = change;
	saveConnection(work, connection, {
		...change,
		...(sealedWebhookSecret !== undefined && {
			formerSealedWebhookSecret: connection.sealedWebhookSecret,
			formerUntil: formerSecretMs(work.machineNow),
		}),
	});
}

/** Applies a verification: the provider has accepted the credentials. Returns the outcome for the caller. */
export function applyVerification(work: Work, planned: PlannedChange, verified: VerifiedAccount): CallOutcome {
	const connection = planned.isNew ? undefined : getConnection(work, planned.id);
	const mode = planned.isNew ? planned.connection.mode : connection?.mode;
	if (mode !== (verified.live ? "LIVE" : "TEST"))
		return { isDone: false, code: "PaymentProviderError", message: wrongMode(verified) };
	const { account } = verified;
	if (planned.isNew)
		insertConnection(work, { ...planned.connection, account, formerSealedWebhookSecret: null, formerUntil: null });
	else if (connection) {
		applyChange(work, connection, planned.change);
		saveConnection(work, connection, { account });
	}
	return { isDone: true };
}

/** Archives a connection: it starts no further payment. Archiving twice changes nothing. */
export function archiveConnection(work: Work, id: string): ProviderConnectionRow {
	const connection = getConnection(work, id);
	return connection.archivedAt === null ? saveConnection(work, connection, { archivedAt: work.now }) : connection;
}
