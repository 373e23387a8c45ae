import { createHash } from "node:crypto";
import { type Instant, toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Page, PageQuery } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { enqueueTask } from "../../tasks/operations";
import { getCustomer, getCustomerById } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { archiveCustomer } from "../subscriptions/customers/operations";
import { bookKeeping, erasedByItself, erasings, erasureSteps, kept, keptUntil, tokenOf } from "./rules.erasure";
import type { Certificate, ErasurePreview, KeptOfCustomer } from "./schema";
import {
	changeErasure,
	countLeft,
	findErasure,
	findObstacles,
	insertErasure,
	keptDocuments,
	pageErasures,
	replacedObjects,
} from "./store.erasures";
import type { ErasureRow } from "./table";

/** A preview counts no further, which bounds its time. */
const countedMax = 10_000;

/**
 * Starts a task that erases the customer's data, and archives the customer immediately. If an erasure is under way, returns that
 * one. Throws CustomerNotFound; CannotDeleteCustomerError while the customer has running obligations.
 */
export function eraseCustomer(work: Work, customerRef: string): ErasureRow {
	const customer = getErasable(work, customerRef);
	const task = enqueueTask(work, {
		...{ type: "ERASE_CUSTOMER", payload: {}, dedupeKey: customer.id },
		totalCount: erasureSteps.length,
	});
	const running = findErasure(work, task.id);
	if (running) return running;
	archiveCustomer(work, customerRef);
	return insertErasure(work, {
		...{ id: task.id, environmentId: work.actor.environmentId, customerId: customer.id },
		...{ actorType: work.actor.kind, actorId: work.actor.id, requestedAt: work.now, completedAt: null },
		...{ step: "", place: "", erased: {}, certificate: null, sha256: null },
	});
}

/** Returns what an erasure would do now, and changes nothing. Throws the same errors as the erasure. */
export function previewErasure(work: Work, customerRef: string): ErasurePreview {
	const customer = getErasable(work, customerRef);
	const counted = erasings.map((erasing) => [erasing.table, countLeft(work, customer, erasing, countedMax)] as const);
	return {
		customerId: customerRef,
		erases: {
			...Object.fromEntries(counted.filter(([, rows]) => rows > 0)),
			...Object.fromEntries(Object.keys(erasedByItself).map((table) => [table, null])),
		},
		kept: keptOf(work, customer),
	};
}

/** Lists erasures, newest first. Throws CustomerNotFound. */
export const listErasures = (work: Work, customerRef: string, query: PageQuery): Page<ErasureRow> =>
	pageErasures(work, getCustomer(work, customerRef).id, query);

/** Writes the certificate. */
export function certify(work: Work, erasure: ErasureRow): void {
	const customer = getCustomerById(work, erasure.customerId);
	const certificate: Certificate = {
		...{ id: erasure.id, customerId: customer.refId, token: tokenOf(customer.id) },
		requestedBy: { type: erasure.actorType, id: erasure.actorId },
		...{ requestedAt: toIso(erasure.requestedAt), completedAt: toIso(work.now) },
		...{ erased: erasure.erased, kept: keptOf(work, customer) },
	};
	const text = JSON.stringify(certificate);
	const sha256 = createHash("sha256").update(text).digest("hex");
	changeErasure(work, erasure, { completedAt: work.now, certificate: text, sha256 });
}

function getErasable(work: Work, customerRef: string): CustomerRow {
	const customer = getCustomer(work, customerRef);
	const obstacle = obstacleTo(work, customer);
	if (obstacle !== undefined) throw fail("CannotDeleteCustomerError", obstacle);
	return customer;
}

/** Returns the reason why the customer cannot be erased, and the remedy; undefined if it can. */
export function obstacleTo(work: Work, customer: CustomerRow): string | undefined {
	const obstacle = findObstacles(work, customer)[0];
	if (!obstacle) return undefined;
	const { what, remedy } = reasonOf(obstacle);
	return `The customer '${customer.refId}' cannot be erased: ${what}; ${remedy} first.`;
}

function reasonOf({ kind, ref }: { readonly kind: string; readonly ref: string }) {
	if (kind === "subscription") return { what: `the subscription '${ref}' has not ended`, remedy: "cancel it" };
	if (kind === "payer") return { what: `it pays for the subscription '${ref}'`, remedy: "cancel or delegate it" };
	if (kind === "child")
		return {
			what: `it is the parent of '${ref}'`,
			remedy: "archive that customer, or set its 'parentCustomerId' to null",
		};
	if (kind === "contract") return { what: `the contract '${ref}' has not ended`, remedy: "archive it" };
	return { what: `the invoice '${ref}' is a draft`, remedy: "issue or discard it" };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the data that Tollgate retains, the reason, and the end of the retention. */
function keptOf(work: Work, customer: CustomerRow): KeptOfCustomer[] {
	const documents = erasings.flatMap((erasing) => {
		if (erasing.document === undefined) return [];
		const found = keptDocuments(work, customer, erasing);
		if (!found || found.rows === 0 || found.last === null) return [];
		return { table: erasing.table, rows: found.rows, why: bookKeeping, until: toIso(keptUntil(found.last)) };
	});
	const replaced = replacedObjects(work);
	const others = kept.flatMap(({ table, why, days }) => {
		const isReplaced = table === "event_replaced_objects";
		if (isReplaced && replaced.rows === 0) return [];
		const last = days === undefined ? null : ((work.machineNow + days * dayMs) as Instant);
		const until = isReplaced ? replaced.last : last;
		return [{ table, rows: isReplaced ? replaced.rows : null, why, until: until && toIso(until) }];
	});
	return [...documents, ...others];
}
