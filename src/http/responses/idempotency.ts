import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { saveRow } from "../../kernel/storage/rows";
import {
	type Actor,
	type Cause,
	type Sync,
	type Transaction,
	type Transactions,
	type Work,
	writeDurably,
} from "../../kernel/work";
import { hashText } from "../hash";
import { HttpRefusal } from "../refusal";
import { idempotencyKeys } from "./table";

/** 24 hours (docs/interface/http.md). */
const storedMs = 24 * 60 * 60 * 1000;

/** As long as an id. */
const keyLengthMax = 255;

/** A POST with an `Idempotency-Key`. The hash covers the body's text. */
export interface KeyedCall {
	readonly method: string;
	readonly path: string;
	readonly key: string;
	readonly bodyHash: string;
}

export function readKey(headers: Headers): string | undefined {
	const key = headers.get("idempotency-key") ?? undefined;
	if (key !== undefined && (key === "" || key.length > keyLengthMax))
		throw fail("BadUserInput", `Send an 'Idempotency-Key' of 1 to ${keyLengthMax} characters.`);
	return key;
}

/** Returns the call if it is a POST with a key. */
export function keyedCall({ method, headers, url }: Request, text: string): KeyedCall | undefined {
	const key = method === "POST" ? readKey(headers) : undefined;
	return key === undefined ? undefined : { method, path: new URL(url).pathname, key, bodyHash: hashText(text) };
}

/** The transactions of the caller, and a callback for a replayed answer. */
export interface Guard {
	readonly transactions: Transactions;
	readonly actor: Actor;
	/** For the audit log. */
	readonly cause: Cause;
	/** Undefined: the call has no key and simply runs. */
	readonly call: KeyedCall | undefined;
	readonly onReplay: () => void;
}

/** Runs `body` at most once for its key, in the transaction that also stores the answer. Resolves when both are on disk. */
export function writeOnce<T>(
	{ transactions, actor, cause, call, onReplay }: Guard,
	status: number,
	body: (work: Work) => T,
	...sync: Sync<T>
): Promise<T> {
	const guarded = (work: Work): T => {
		Object.assign(work.cause, cause);
		if (!call) return body(work);
		const kept = findStoredAnswer(work, call);
		if (kept) {
			onReplay();
			// The route's earlier answer for this key.
			return kept.answer as T;
		}
		const answer = body(work);
		storeAnswer(work, call, { status, answer });
		return answer;
	};
	return writeDurably(transactions, actor, guarded, ...sync);
}

/** Calls that are running and have no stored answer yet. The same key gets 409 in the meantime (docs/interface/http.md). */
const underWay = new Set<string>();

/** For writes outside main.db: stores the answer after the write. */
export async function runOnce<T>({ transactions, actor, call, onReplay }: Guard, run: () => Promise<T>): Promise<T> {
	if (!call) return run();
	const slot = JSON.stringify([placeOf(actor), call.path, call.key]);
	if (underWay.has(slot))
		throw new HttpRefusal(409, `A call with the Idempotency-Key '${call.key}' is under way; try again shortly.`, {
			"Retry-After": "1",
			"x-should-retry": "true",
		});
	const kept = transactions.read(actor, (work) => findStoredAnswer(work, call));
	if (kept) {
		onReplay();
		return kept.answer as T;
	}
	underWay.add(slot);
	try {
		const answer = await run();
		await writeDurably(transactions, actor, (work) => storeAnswer(work, call, { status: 200, answer }));
		return answer;
	} finally {
		underWay.delete(slot);
	}
}

/** Without an environment, the answer belongs to the account. */
const placeOf = ({ environmentId, accountId }: Actor): string => environmentId || accountId;

export interface StoredAnswer {
	readonly status: number;
	readonly answer: unknown;
}

/**
 * Returns the stored answer to this call; undefined for a new one. It belongs to the caller that made the call: another
 * caller may lack the permission, and gets 400. Running the call again, for example for a rotated key, would repeat its
 * effect. Another body with the same key gets 400 too.
 */
export function findStoredAnswer(work: Work, { method, path, key, bodyHash }: KeyedCall): StoredAnswer | undefined {
	const kept = work.prepared(keptOf).get({ environmentId: placeOf(work.actor), method, path, key });
	if (!kept || kept.createdAt <= work.machineNow - storedMs) return undefined;
	if (kept.callerId !== null && kept.callerId !== work.actor.id)
		throw fail(
			"BadUserInput",
			`The Idempotency-Key '${key}' was used by another caller here; use a new key for a new request, or ask for its outcome with the API key or user that sent it.`,
		);
	if (kept.bodyHash !== bodyHash)
		throw fail(
			"BadUserInput",
			`The Idempotency-Key '${key}' was used with another body; use a new key for a new request.`,
		);
	return kept;
}

const keptOf = (tx: Transaction) =>
	tx
		.select()
		.from(idempotencyKeys)
		.where(
			and(
				eq(idempotencyKeys.environmentId, sql.placeholder("environmentId")),
				eq(idempotencyKeys.method, sql.placeholder("method")),
				eq(idempotencyKeys.path, sql.placeholder("path")),
				eq(idempotencyKeys.key, sql.placeholder("key")),
			),
		)
		.prepare();

/**
 * Stores an answer in the transaction of the call, so a crash leaves both or neither. Errors are not stored, because
 * they changed nothing.
 */
export function storeAnswer(work: Work, call: KeyedCall, { status, answer }: StoredAnswer): void {
	const { id } = work.actor;
	saveRow(work, idempotencyKeys, {
		...{ ...call, environmentId: placeOf(work.actor), callerId: id, status, createdAt: work.machineNow },
		answer: withoutSecrets(answer, work.secrets),
	});
}

/** A secret is shown once, so the stored answer contains only its beginning. */
function withoutSecrets(answer: unknown, secrets: readonly string[]): unknown {
	if (secrets.length === 0) return answer;
	return JSON.parse(
		secrets.reduce((text, secret) => text.replaceAll(secret, beginningOf(secret)), JSON.stringify(answer)),
	);
}

/** Enough to identify the secret. */
const beginningOf = (secret: string): string => `${secret.slice(0, 13)}…`;

/** Deletes up to `rowsMax` expired answers of all environments. Returns the number of deleted rows. */
export function purgeAnswers(work: Work, rowsMax: number): number {
	const piece = work.tx
		.select({ rowid: sql`rowid` })
		.from(idempotencyKeys)
		.where(lt(idempotencyKeys.createdAt, (work.machineNow - storedMs) as Instant))
		.limit(rowsMax);
	return work.tx.delete(idempotencyKeys).where(inArray(sql`rowid`, piece)).returning({ key: idempotencyKeys.key }).all()
		.length;
}
