import { HttpRefusal } from "../../../http/refusal";
import { newUuidV7 } from "../../../kernel/ids";
import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import type { BankImport } from "../schema";
import { readFile } from "./operations.read";

/** The files that this thread reads at once: a file takes memory. Other requests get 503. */
let isReading = false;

/**
 * Reads a file that a request sent, one character a byte, and queues its import. A file that is not whole or sound leaves nothing. Throws
 * BadUserInput with the line and the figures.
 */
export async function receiveFile(
	{ transactions, write }: Pick<Services, "transactions" | "write">,
	actor: Actor,
	{ text, account, cause }: { readonly text: string; readonly account: string | undefined; readonly cause: Cause },
): Promise<BankImport> {
	if (isReading)
		throw new HttpRefusal(503, "Tollgate reads another bank file now; send this one again shortly.", {
			"Retry-After": "1",
		});
	isReading = true;
	const importId = newUuidV7();
	let hasParts = false;
	try {
		const bytes = Buffer.from(text, "latin1");
		const { rest, ...file } = await readFile({
			...{ transactions, actor, bytes, account: account?.replaceAll(" ", "").toUpperCase() },
			keep: (position, items) => {
				hasParts = true;
				return write(actor, "keepBankPart", { importId, position, items });
			},
		});
		return await write(actor, "startBankImport", { ...file, ...rest, importId, cause });
	} catch (error) {
		if (hasParts) await write(actor, "dropBankParts", importId);
		throw error;
	} finally {
		isReading = false;
	}
}
