import type { Decimal } from "../../../kernel/decimal";
import type { StatementEntry } from "../statements/rules.statement";

/** A file as an import records it, in its order: plain JSON. */
export type ImportItem =
	| {
			readonly kind: "STATEMENT";
			/** The IBAN of an account of the environment. */
			readonly iban: string;
			readonly currency: string | null;
			readonly number: string | null;
			readonly sequence: number | null;
	  }
	| { readonly kind: "ENTRY"; readonly entry: StatementEntry; readonly fingerprint: string }
	| { readonly kind: "CLOSED"; readonly opening: Decimal | null; readonly closing: Decimal | null };

/** Our bound: the characters of the items that are stored as one part. */
export const partCharactersMax = 256 * 1024;
