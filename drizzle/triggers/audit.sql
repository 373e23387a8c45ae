CREATE TRIGGER IF NOT EXISTS audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS audit_entries_kept BEFORE DELETE ON audit_entries
WHEN OLD.sequence > (SELECT sealed_sequence FROM audit_chains WHERE environment_id = OLD.environment_id) BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are removed from its beginning only, once that is sealed');
END;
