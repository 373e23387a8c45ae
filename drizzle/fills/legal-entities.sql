-- Each environment has a default legal entity from now on. Its invoices were that one's, and its numbers go on.
INSERT INTO legal_entities (id, environment_id, name, is_default, created_at, updated_at)
SELECT
	lower(printf('%s-%s-7%s-8%s-%s', substr(time, 1, 8), substr(time, 9, 4), substr(random, 1, 3), substr(random, 4, 3), substr(random, 7, 12))),
	environment_id, name, 1, at, at
FROM (
	SELECT environments.id AS environment_id, accounts.name AS name, unixepoch() * 1000 AS at,
		printf('%012x', unixepoch() * 1000) AS time, hex(randomblob(9)) AS random
	FROM environments JOIN accounts ON accounts.id = environments.account_id
	WHERE environments.id NOT IN (SELECT environment_id FROM legal_entities WHERE is_default = 1)
);
--> statement-breakpoint
INSERT INTO payment_accounts (id, environment_id, legal_entity_id, name, is_default, created_at)
SELECT substr(id, 1, 24) || lower(hex(randomblob(6))), environment_id, id, 'Default payment account', 1, created_at
FROM legal_entities WHERE id NOT IN (SELECT legal_entity_id FROM payment_accounts);
--> statement-breakpoint
UPDATE legal_entities SET updated_at = created_at;
--> statement-breakpoint
INSERT INTO number_prefixes (environment_id, stem, legal_entity_id, kind)
SELECT environment_id, 'INV', id, 'INVOICE' FROM legal_entities UNION ALL SELECT environment_id, 'CN', id, 'CREDIT_NOTE' FROM legal_entities;
--> statement-breakpoint
INSERT INTO number_sequences (environment_id, legal_entity_id, kind, year, last, last_issued_at)
SELECT environment_id, legal_entities.id, 'INVOICE', 0, last, coalesce((SELECT max(issued_at) FROM invoices WHERE invoices.environment_id = invoice_sequences.environment_id), 0)
FROM invoice_sequences JOIN legal_entities USING (environment_id) WHERE is_default = 1;
--> statement-breakpoint
INSERT INTO number_sequences (environment_id, legal_entity_id, kind, year, last, last_issued_at)
SELECT environment_id, legal_entities.id, 'CREDIT_NOTE', 0, last, coalesce((SELECT max(issued_at) FROM credit_notes WHERE credit_notes.environment_id = credit_note_sequences.environment_id), 0)
FROM credit_note_sequences JOIN legal_entities USING (environment_id) WHERE is_default = 1;
--> statement-breakpoint
UPDATE invoices SET number_count = sequence, legal_entity_id = (SELECT id FROM legal_entities WHERE legal_entities.environment_id = invoices.environment_id AND is_default = 1);
--> statement-breakpoint
UPDATE credit_notes SET number_count = sequence, legal_entity_id = (SELECT id FROM legal_entities WHERE legal_entities.environment_id = credit_notes.environment_id AND is_default = 1);
