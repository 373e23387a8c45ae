import { createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { sealingKey } from "../../kernel/sealed";

/** The end of one chain at the time of the anchor. */
const AnchoredChain = Type.Object({
	/** Null for the log of accounts, which belongs to no environment. */
	environmentId: Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
	entryId: Type.String({ maxLength: 64 }),
	sequence: Type.Integer({ minimum: 1 }),
	hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	/** Tollgate may have removed entries up to this one because of their age; 0 for none. */
	removableTo: Type.Integer({ minimum: 0 }),
});
export type AnchoredChain = Static<typeof AnchoredChain>;

/** The ends of all chains of a folder, signed by a key that derives from the folder's secret. */
const Anchor = Type.Object({
	format: Type.Literal(1),
	at: Type.String({ maxLength: 30 }),
	chains: Type.Array(AnchoredChain),
	signature: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type Anchor = Static<typeof Anchor>;

/** The sequence of the last removable entry, by chain (an environment, or `accountLevel`). */
export type Removable = ReadonlyMap<string, number>;

/** The anchor as one line of JSON. */
export function signAnchor(secret: string, at: string, chains: readonly AnchoredChain[]): string {
	const body = bodyOf(at, chains);
	return `${body.slice(0, -1)},"signature":"${signatureOf(secret, body)}"}\n`;
}

/** Reads an anchor. Returns undefined if the text is not an anchor, or was not signed with this secret. */
export function readAnchor(secret: string, text: string): Anchor | undefined {
	const anchor = parsed(text);
	if (!Value.Check(Anchor, anchor)) return undefined;
	const signature = signatureOf(secret, bodyOf(anchor.at, anchor.chains));
	return timingSafeEqual(Buffer.from(signature), Buffer.from(anchor.signature)) ? anchor : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const bodyOf = (at: string, chains: readonly AnchoredChain[]): string =>
	JSON.stringify({
		format: 1,
		at,
		chains: chains.map(({ environmentId, entryId, sequence, hash, removableTo }) => ({
			...{ environmentId, entryId, sequence, hash, removableTo },
		})),
	});

const signatureOf = (secret: string, body: string): string =>
	createHmac("sha256", sealingKey(secret, "audit anchors")).update(body).digest("hex");
