/** The longest text after "RF" and the check digits (ISO 11649). */
const textMax = 21;

/**
 * Returns the creditor reference of an invoice (ISO 11649), such as RF29INV000042: its number without signs, or its position in the order of
 * issue if the number is too long. Null for a draft, which has no number. The position has no letter and each number has one, so the two never
 * coincide.
 */
export function creditorReferenceOf({
	number,
	sequence,
}: {
	readonly number: string;
	readonly sequence: number;
}): string | null {
	if (number === "") return null;
	const plain = number.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
	const text = plain.length <= textMax ? plain : String(sequence);
	return `RF${String(98 - modulo97(`${text}RF00`)).padStart(2, "0")}${text}`;
}

/** Returns a creditor reference without spaces, in upper case; undefined if its form or its check digits are wrong. */
export function readCreditorReference(stated: string): string | undefined {
	const plain = stated.replace(/\s/g, "").toUpperCase();
	if (!/^RF[0-9]{2}[0-9A-Z]{1,21}$/.test(plain)) return undefined;
	return modulo97(plain.slice(4) + plain.slice(0, 4)) === 1 ? plain : undefined;
}

/** Formats a reference in groups of four, as banks print it. */
export const groupedReference = (reference: string): string => reference.replace(/(.{4})(?=.)/g, "$1 ");

/** The remainder of ISO 7064: letters count from 10. */
function modulo97(text: string): number {
	let rest = 0;
	for (const character of text)
		for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
	return rest;
}
