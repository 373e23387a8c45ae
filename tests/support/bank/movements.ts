/** A movement as the test states it. The dialects write it; nothing of the reader is imported here. */
export interface Movement {
	/** In cents; negative for money that left the account. */
	readonly cents: number;
	readonly day: string;
	readonly name: string;
	readonly iban: string;
	readonly text: string;
	readonly endToEndId: string;
	readonly bankReference: string;
	/** An ISO 11649 reference, or "". */
	readonly reference: string;
}

export interface StatementOf {
	readonly iban: string;
	readonly number: number;
	readonly openingCents: number;
	readonly movements: readonly Movement[];
}

export const closingCents = ({ openingCents, movements }: StatementOf): number =>
	movements.reduce((sum, { cents }) => sum + cents, openingCents);

/** "1250.00" of 125000, unsigned. */
export const euros = (cents: number, separator = "."): string => {
	const size = Math.abs(cents);
	return `${Math.floor(size / 100)}${separator}${String(size % 100).padStart(2, "0")}`;
};

export const xmlText = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
