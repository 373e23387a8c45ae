/** LIKE by the book, one character at a time; knows nothing of how the database does it. */
export function matches(text: string, pattern: string): boolean {
	if (pattern === "") return text === "";
	const [sign, next = ""] = pattern;
	if (sign === "%") return matches(text, pattern.slice(1)) || (text !== "" && matches(text.slice(1), pattern));
	if (sign === "_") return text !== "" && matches(text.slice(1), pattern.slice(1));
	const isEscape = sign === "\\" && ["%", "_", "\\"].includes(next);
	const literal = isEscape ? next : sign;
	return text.startsWith(`${literal}`) && matches(text.slice(1), pattern.slice(isEscape ? 2 : 1));
}

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
export type Comparison = Readonly<Record<string, unknown>>;

const operators: Readonly<Record<string, (value: never, operand: never) => boolean>> = {
	eq: (value, operand) => value === operand,
	neq: (value, operand) => value !== operand,
	gt: (value, operand) => value > operand,
	gte: (value, operand) => value >= operand,
	lt: (value, operand) => value < operand,
	lte: (value, operand) => value <= operand,
	in: (value, operand: readonly unknown[]) => operand.includes(value),
	notIn: (value, operand: readonly unknown[]) => !operand.includes(value),
	like: matches,
	notLike: (value, operand) => !matches(value, operand),
	iLike: (value: string, operand: string) => matches(value.toLowerCase(), operand.toLowerCase()),
	notILike: (value: string, operand: string) => !matches(value.toLowerCase(), operand.toLowerCase()),
	between: (value, { lower, upper }: { lower: never; upper: never }) => lower <= value && value <= upper,
	notBetween: (value, { lower, upper }: { lower: never; upper: never }) => value < lower || value > upper,
};

/** Null meets nothing but the questions about null. */
function meets(value: Value, operator: string, operand: unknown): boolean {
	if (operand === null) return (value === null) === (operator === "is" || operator === "eq");
	const compare = operators[operator];
	if (!compare) throw new Error(`The oracle knows no operator ${operator}`);
	if (value === null) return operator === "notIn" && Array.isArray(operand) && operand.length === 0;
	return compare(value as never, operand as never);
}

export type Filter = Readonly<Record<string, Comparison | readonly Filter[]>>;

export const passes = (row: Row, filter: Filter): boolean =>
	Object.entries(filter).every(([name, given]) => {
		if (Array.isArray(given)) {
			const alternatives: readonly Filter[] = given;
			if (name === "and") return alternatives.every((each) => passes(row, each));
			return alternatives.length === 0 || alternatives.some((each) => passes(row, each));
		}
		return Object.entries(given).every(([operator, operand]) => meets(row[name] ?? null, operator, operand));
	});

export interface Sort {
	readonly field: string;
	readonly direction: "ASC" | "DESC";
	readonly nulls?: "NULLS_FIRST" | "NULLS_LAST";
}

/** Newest first among equals; null counts as the largest value unless the caller says otherwise. */
export const inOrder = (rows: readonly Row[], sorting: readonly Sort[]): Row[] =>
	[...rows].sort((left, right) => {
		for (const { field, direction, nulls } of sorting) {
			const [one, other] = [left[field] ?? null, right[field] ?? null];
			if (one === other) continue;
			const nullsFirst = nulls ? nulls === "NULLS_FIRST" : direction === "DESC";
			if (one === null || other === null) return (one === null) === nullsFirst ? -1 : 1;
			return one < other === (direction === "ASC") ? -1 : 1;
		}
		return `${left.id}` < `${right.id}` ? 1 : -1;
	});
