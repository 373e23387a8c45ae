import type { Work } from "../../kernel/work";
import { namedLegalEntity } from "../legal-entities/operations";
import { getPackage } from "./operations";
import type { PackageKind } from "./schema";
import { savePackage } from "./store";
import type { PackageRow } from "./table";

/**
 * Sets the legal entity that invoices future sales of a package; null for the default one. Throws InvalidArgumentError if it does
 * not exist.
 */
export const setIssuer = (work: Work, kind: PackageKind, refId: string, legalEntityId: string | null): PackageRow =>
	savePackage(work, getPackage(work, kind, refId), {
		legalEntityId: legalEntityId && namedLegalEntity(work, legalEntityId),
	});
