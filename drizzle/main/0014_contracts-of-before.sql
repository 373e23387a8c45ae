-- What an earlier release has published, and never invoiced, is carried on at once, each environment by its own clock.
UPDATE contracts SET next_due_at = (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id)
WHERE billing_state = 'ACTIVE' AND published_at IS NULL;
