import type { Work } from "../../kernel/work";
import { namedLegalEntity } from "../legal-entities/operations";
import { getPackage } from "./operations";
import type { PackageKind } from "./schema";
import { savePackage } from "./store";
import type { PackageRow } from "./table";

/** Who invoices what is sold of a package from now on; null: the default one. InvalidArgumentError when there is no such legal entity. */
export const setIssuer = (work: Work, kind: PackageKind, refId: string, legalEntityId: string | null): PackageRow =>
	savePackage(work, getPackage(work, kind, refId), {
		legalEntityId: legalEntityId && namedLegalEntity(work, legalEntityId),
	});
