CREATE INDEX `invoices_contract_ref` ON `invoices` (`environment_id`,`contract_ref_id`,`issued_at`,`id`) WHERE contract_ref_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_state_issued` ON `invoices` (`environment_id`,`state`,`issued_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_state_due` ON `invoices` (`environment_id`,`state`,`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_number` ON `invoices` (`environment_id`,`number`);