import { HttpRefusal } from "../../http/refusal";
import type { Work } from "../../kernel/work";
import { findIssuer, type Issuer, logosOf } from "./operations";
import type { LegalEntityDetails } from "./schema";
import { viewLegalEntityDetails } from "./view";

/** The catalogue has no code for it. */
export function getIssuer(work: Work, id: string): Issuer {
	const issuer = findIssuer(work, id);
	if (!issuer) throw new HttpRefusal(404, `There is no legal entity '${id}' in this environment.`);
	return issuer;
}

/** How each of these is shown; their logos are read for all at once. */
export function shownBy(work: Work, issuers: readonly Issuer[]): (issuer: Issuer) => LegalEntityDetails {
	const logos = logosOf(work, issuers);
	return (issuer) => viewLegalEntityDetails(issuer, logos.get(issuer.entity.logoId ?? ""));
}
