import { HttpRefusal } from "../../http/refusal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { issuerOf, namedLegalEntity } from "../legal-entities/operations";
import { mandateChanged } from "./events";
import { cancelPlannedOf } from "./operations";
import { getCreditor } from "./operations.creditors";
import { assertAddress, checkedCreditorId, debtorIban } from "./rules.mandate";
import { type Day, dayOf } from "./rules.target";
import type { MandateCreate, MandateListQuery } from "./schema";
import {
	changeMandate,
	findMandateByReference,
	insertMandate,
	mandatesMax,
	mandatesOfCustomer,
	pageMandates,
	selectMandates,
} from "./store";
import type { MandateRow } from "./table";

/** Returns a mandate of this environment. The catalogue of errors has no code for an unknown one. */
export function getMandate(work: Work, mandateId: string): MandateRow {
	const [found] = selectMandates(work, [mandateId]);
	if (!found) throw new HttpRefusal(404, `There is no mandate '${mandateId}' in this environment.`);
	return found;
}

/** Row id → mandate, of this environment. */
export const mandatesByIds = (work: Work, ids: readonly string[]): Map<string, MandateRow> =>
	new Map(selectMandates(work, ids).map((row) => [row.id, row]));

/** Records that a file collects by a mandate on a day. A ONE_OFF one is USED from then on. */
export const useMandate = (work: Work, mandate: MandateRow, collectionOn: Day): MandateRow =>
	mandate.lastCollectedOn === collectionOn
		? mandate
		: changeMandate(work, mandate.id, {
				...{ lastCollectedOn: collectionOn, ...(mandate.kind === "ONE_OFF" && { state: "USED" as const }) },
			});

/** Lists mandates, newest first. Throws CustomerNotFound. */
export function listMandates(work: Work, { customerId, ...query }: MandateListQuery): Page<MandateRow> {
	return pageMandates(work, query, customerId === undefined ? undefined : getCustomer(work, customerId).id);
}

/**
 * Records a mandate that a customer has signed. Throws CustomerNotFound, EntityIsArchivedError, DuplicatedEntityNotAllowed for a known
 * reference, and InvalidArgumentError for a legal entity without a creditor identifier, wrong check digits, a country outside SEPA, and
 * a day of signature in the future.
 */
export function createMandate(work: Work, input: MandateCreate): MandateRow {
	const customer = getCustomer(work, input.customerId);
	assertNotArchived(customer);
	const legalEntityId =
		input.legalEntityId === undefined
			? issuerOf(work, customer.legalEntityId).entity.id
			: namedLegalEntity(work, input.legalEntityId);
	const creditor = getCreditor(work, legalEntityId);
	const iban = debtorIban(input.iban);
	const debtorAddress = input.debtorAddress ?? null;
	assertAddress(iban, debtorAddress);
	assertDay(work, input.signedOn);
	const reference = (input.reference ?? `TG-${work.newId().replaceAll("-", "")}`).toUpperCase();
	if (findMandateByReference(work, reference))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is a mandate '${reference}' already; each mandate has a reference of its own.`,
		);
	if (mandatesOfCustomer(work, customer.id).length >= mandatesMax)
		throw fail("InvalidArgumentError", `'${customer.refId}' has ${mandatesMax} mandates; no more are kept.`);
	const mandate = insertMandate(work, {
		...{ customerId: customer.id, legalEntityId, reference, creditorId: checkedCreditorId(creditor.creditorId) },
		...{ scheme: input.scheme ?? "CORE", kind: input.kind ?? "RECURRENT", state: "ACTIVE", iban },
		...{ bic: input.bic ?? null, debtorName: input.debtorName ?? nameOf(customer), debtorAddress },
		...{ signedOn: input.signedOn, lastCollectedOn: null, stopCode: null },
	});
	mandateChanged(work, "mandate.created", mandate);
	return mandate;
}

const nameOf = ({ name, refId }: { readonly name: string | null; readonly refId: string }): string =>
	(name ?? refId).slice(0, 70);

/** Throws InvalidArgumentError for a day that does not exist or is to come. */
function assertDay(work: Work, day: string): void {
	const isReal = dayOf(Date.parse(`${day}T00:00:00Z`) || 0) === day;
	if (!isReal) throw fail("InvalidArgumentError", `'signedOn': ${day} is no day of the calendar.`);
	if (day > dayOf(work.now))
		throw fail("InvalidArgumentError", `'signedOn' lies in the future; give the day on the signed mandate.`);
}

/** Revokes a mandate and cancels its debits that are in no file. A second call changes nothing. */
export function revokeMandate(work: Work, mandateId: string): MandateRow {
	const mandate = getMandate(work, mandateId);
	if (mandate.state === "REVOKED") return mandate;
	const revoked = changeMandate(work, mandate.id, { state: "REVOKED" });
	cancelPlannedOf(work, mandate.id);
	mandateChanged(work, "mandate.revoked", revoked);
	return revoked;
}

/** Stops a mandate for the code of a return, and cancels its debits that are in no file. */
export function stopMandate(work: Work, mandateId: string, stopCode: string): void {
	const mandate = getMandate(work, mandateId);
	if (mandate.state === "STOPPED" || mandate.state === "REVOKED") return;
	const stopped = changeMandate(work, mandate.id, { state: "STOPPED", stopCode });
	cancelPlannedOf(work, mandate.id);
	mandateChanged(work, "mandate.stopped", stopped);
}
