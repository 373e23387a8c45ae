import { closingCents, euros, type Movement, type StatementOf, xmlText } from "./movements";

/** Three banks' ways to write CAMT.053, as complete files. */

const mark = (cents: number): string => (cents < 0 ? "DBIT" : "CRDT");

function* parts(head: string, movements: readonly Movement[], entry: (one: Movement) => string, end: string) {
	yield head;
	for (const one of movements) yield entry(one);
	yield end;
}

const balance = (code: string, cents: number, day: string): string =>
	`<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>${mark(cents)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

const remittance = ({ text, reference }: Movement): string =>
	`<RmtInf>${text === "" ? "" : `<Ustrd>${xmlText(text)}</Ustrd>`}${reference === "" ? "" : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd>`}</RmtInf>`;

/** A savings bank: version .02, no line breaks, amounts of details in AmtDtls, the account's own party named too. */
export const savingsBank = (statement: StatementOf, lineEnd = ""): Generator<string> =>
	parts(
		`<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>053D2026</MsgId><CreDtTm>2026-02-02T20:00:00.0+01:00</CreDtTm></GrpHdr><Stmt><Id>0352C5${statement.number}</Id><ElctrncSeqNb>${statement.number}</ElctrncSeqNb><CreDtTm>2026-02-02T20:00:00.0+01:00</CreDtTm><Acct><Id><IBAN>${statement.iban}</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Tollgate GmbH</Nm></Ownr></Acct>${balance("PRCD", statement.openingCents, "2026-02-01")}${balance("CLBD", closingCents(statement), "2026-02-02")}`,
		statement.movements,
		(one) =>
			`<Ntry><Amt Ccy="EUR">${euros(one.cents)}</Amt><CdtDbtInd>${mark(one.cents)}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${one.day}</Dt></BookgDt><ValDt><Dt>${one.day}</Dt></ValDt><AcctSvcrRef>${one.bankReference}</AcctSvcrRef><BkTxCd/><NtryDtls><TxDtls><Refs><EndToEndId>${one.endToEndId}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${euros(one.cents)}</Amt></TxAmt></AmtDtls><RltdPties>${one.cents < 0 ? `<Dbtr><Nm>Tollgate GmbH</Nm></Dbtr><DbtrAcct><Id><IBAN>${statement.iban}</IBAN></Id></DbtrAcct><Cdtr><Nm>${xmlText(one.name)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${one.iban}</IBAN></Id></CdtrAcct>` : `<Dbtr><Nm>${xmlText(one.name)}</Nm></Dbtr><DbtrAcct><Id><IBAN>${one.iban}</IBAN></Id></DbtrAcct><Cdtr><Nm>Tollgate GmbH</Nm></Cdtr>`}</RltdPties>${remittance(one)}</TxDtls></NtryDtls></Ntry>${lineEnd}`,
		`</Stmt></BkToCstmrStmt></Document>`,
	);

/** A direct bank: version .08, indented, a prefix, names in Pty, status in Cd, date with time, a pending entry in addition. */
export const directBank = (statement: StatementOf): Generator<string> =>
	parts(
		`<?xml version='1.0' encoding='utf-8' standalone="yes"?>
<!-- export <1> -->
<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <c:BkToCstmrStmt>
  <c:GrpHdr><c:MsgId>1</c:MsgId></c:GrpHdr>
  <c:Stmt>
   <c:Id>${statement.number}/2026</c:Id>
   <c:LglSeqNb>${statement.number}</c:LglSeqNb>
   <c:Acct><c:Id><c:IBAN>${statement.iban}</c:IBAN></c:Id></c:Acct>
   ${balance("OPBD", statement.openingCents, "2026-02-01").replaceAll(/<(\/?)/g, "<$1c:")}
   ${balance("CLBD", closingCents(statement), "2026-02-02").replaceAll(/<(\/?)/g, "<$1c:")}
   <c:Ntry><c:Amt Ccy="EUR">77.00</c:Amt><c:CdtDbtInd>CRDT</c:CdtDbtInd><c:Sts><c:Cd>PDNG</c:Cd></c:Sts></c:Ntry>
`,
		statement.movements,
		(one) => `   <c:Ntry>
    <c:NtryRef>${one.bankReference}</c:NtryRef>
    <c:Amt Ccy="EUR">${euros(one.cents)}</c:Amt>
    <c:CdtDbtInd>${mark(one.cents)}</c:CdtDbtInd>
    <c:RvslInd>false</c:RvslInd>
    <c:Sts><c:Cd>BOOK</c:Cd></c:Sts>
    <c:BookgDt><c:DtTm>${one.day}T23:59:00+01:00</c:DtTm></c:BookgDt>
    <c:ValDt><c:Dt>${one.day}</c:Dt></c:ValDt>
    <c:NtryDtls>
     <c:TxDtls>
      <c:Refs><c:EndToEndId>${one.endToEndId}</c:EndToEndId></c:Refs>
      <c:Amt Ccy="EUR">${euros(one.cents)}</c:Amt>
      <c:CdtDbtInd>${mark(one.cents)}</c:CdtDbtInd>
      <c:RltdPties><c:${one.cents < 0 ? "Cdtr" : "Dbtr"}><c:Pty><c:Nm>${xmlText(one.name)}</c:Nm></c:Pty></c:${one.cents < 0 ? "Cdtr" : "Dbtr"}><c:${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct><c:Id><c:IBAN>${one.iban}</c:IBAN></c:Id></c:${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct></c:RltdPties>
      ${remittance(one).replaceAll(/<(\/?)/g, "<$1c:")}
     </c:TxDtls>
    </c:NtryDtls>
   </c:Ntry>
`,
		`  </c:Stmt>
 </c:BkToCstmrStmt>
</c:Document>
`,
	);

/** A commercial bank: version .04, Latin-1, all credits as one batch entry with details, the debits one by one. */
export function* commercialBank(statement: StatementOf): Generator<string> {
	const credits = statement.movements.filter(({ cents }) => cents > 0);
	const debits = statement.movements.filter(({ cents }) => cents < 0);
	const details = (one: Movement) =>
		`<TxDtls><Refs><AcctSvcrRef>${one.bankReference}</AcctSvcrRef><EndToEndId>${one.endToEndId}</EndToEndId></Refs><Amt Ccy="EUR">${euros(one.cents)}</Amt><CdtDbtInd>${mark(one.cents)}</CdtDbtInd><RltdPties><${one.cents < 0 ? "Cdtr" : "Dbtr"}><Nm>${xmlText(one.name)}</Nm></${one.cents < 0 ? "Cdtr" : "Dbtr"}><${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct><Id><IBAN>${one.iban}</IBAN></Id></${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct></RltdPties>${remittance(one)}</TxDtls>\r\n`;
	const entry = (movements: readonly Movement[]) => {
		const cents = movements.reduce((sum, one) => sum + one.cents, 0);
		return `<Ntry><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>${mark(cents)}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${movements[0]?.day}</Dt></BookgDt><ValDt><Dt>${movements[0]?.day}</Dt></ValDt><NtryDtls><Btch><NbOfTxs>${movements.length}</NbOfTxs></Btch>${movements.map(details).join("")}</NtryDtls></Ntry>\r\n`;
	};
	yield `<?xml version="1.0" encoding="ISO-8859-1"?>\r\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.04">\r\n<BkToCstmrStmt><GrpHdr><MsgId>7</MsgId></GrpHdr><Stmt><Id>S${statement.number}</Id><ElctrncSeqNb>${statement.number}</ElctrncSeqNb><Acct><Id><Othr><Id>${statement.iban}</Id></Othr></Id><Ccy>EUR</Ccy></Acct>${balance("OPBD", statement.openingCents, "2026-02-01")}${balance("CLBD", closingCents(statement), "2026-02-02")}`;
	if (credits.length > 0) yield entry(credits);
	for (const one of debits) yield entry([one]);
	yield `</Stmt></BkToCstmrStmt></Document>`;
}

/** A notification (054, version .08): entries without balances. */
export const notification = (statement: StatementOf): Generator<string> =>
	parts(
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr/><Ntfctn><Id>N1</Id><Acct><Id><IBAN>${statement.iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
		statement.movements,
		(one) =>
			`<Ntry><Amt Ccy="EUR">${euros(one.cents)}</Amt><CdtDbtInd>${mark(one.cents)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${one.day}</Dt></BookgDt><ValDt><Dt>${one.day}</Dt></ValDt><AcctSvcrRef>${one.bankReference}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${one.endToEndId}</EndToEndId></Refs><RltdPties><${one.cents < 0 ? "Cdtr" : "Dbtr"}><Pty><Nm>${xmlText(one.name)}</Nm></Pty></${one.cents < 0 ? "Cdtr" : "Dbtr"}><${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct><Id><IBAN>${one.iban}</IBAN></Id></${one.cents < 0 ? "Cdtr" : "Dbtr"}Acct></RltdPties>${remittance(one)}</TxDtls></NtryDtls></Ntry>`,
		`</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`,
	);
