import fc from 'fast-check';

// The same inputs in every run: a failure on one machine is a failure on all. KIROTRAIL_SEED explores others.
fc.configureGlobal({ seed: Number(process.env.KIROTRAIL_SEED ?? 20_260_101) });
