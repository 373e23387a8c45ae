import type { ChangeText, FieldChange } from "./rules.entry";
import { fieldName, owners } from "./rules.names";

/** A key by which an entry is found, and the type of the entity that it names. */
export type Subject = readonly [key: string, entityType: string];

/** A list of subjects without repetitions. */
export class Subjects {
	readonly #subjects = new Map<string, Subject>();

	add(key: string | null | undefined, entityType: string): void {
		if (key !== null && key !== undefined) this.#subjects.set(`${key} ${entityType}`, [key, entityType]);
	}

	get list(): Subject[] {
		return [...this.#subjects.values()];
	}

	equals(other: Subjects): boolean {
		return (
			this.#subjects.size === other.#subjects.size && this.#subjects.keys().every((key) => other.#subjects.has(key))
		);
	}
}

/** Returns the form in which an entry stores its subjects: nothing where its changes name exactly them, or else a JSON array. */
export const storedSubjects = (subjects: Subjects, changes: string): string =>
	subjects.equals(subjectsIn(changes)) ? "" : JSON.stringify(subjects.list);

/** Returns the subjects of a stored entry. */
export const subjectsOfEntry = ({
	subjects,
	changes,
}: {
	readonly subjects: string;
	readonly changes: string;
}): Subject[] => (subjects === "" ? subjectsIn(changes).list : JSON.parse(subjects));

const ownerFields = owners.map(({ column, entityType }) => ({ field: fieldName(column), entityType }));

/** The subjects that the stored changes name themselves: each entity, its type, its customer and its owner. */
function subjectsIn(changes: string): Subjects {
	const subjects = new Subjects();
	for (const { entityType, entityId, entityRef, fields } of JSON.parse(changes) as readonly ChangeText[]) {
		subjects.add(entityType, entityType);
		subjects.add(entityId, entityType);
		subjects.add(entityRef, entityType);
		subjects.add(idIn(fields.customerId), "Customer");
		const owner = ownerFields.find(({ field }) => field in fields);
		if (owner) subjects.add(idIn(fields[owner.field]), owner.entityType);
	}
	return subjects;
}

function idIn(change: FieldChange | undefined): string | undefined {
	const id = change?.after ?? change?.before;
	return typeof id === "string" ? id : undefined;
}
