// Context: load.  Java: handlers of its own, JIT code, a collector, threads.
import java.util.ArrayList;
import java.util.List;

public class Hot {
	static long hot(int n)
	{
		long x = 1;

		for (int i = 0; i < n; i++)
			x = x * 6364136223846793005L + i;
		return x;
	}

	public static void main(String[] args) throws Exception
	{
		int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 300;
		List<Thread> threads = new ArrayList<>();
		long[] sum = new long[4];

		for (int t = 0; t < sum.length; t++) {
			final int me = t;
			threads.add(new Thread(() -> {
				List<byte[]> junk = new ArrayList<>();
				for (int i = 0; i < rounds; i++) {
					sum[me] += hot(300000);
					junk.add(new byte[50000]);
					if (junk.size() > 100)
						junk.clear();
					try {
						Object none = i % 10 == 0 ? null : "";
						none.hashCode();
					} catch (NullPointerException e) {
						sum[me]++;
					}
				}
			}));
			threads.get(t).start();
		}
		for (Thread t : threads)
			t.join();
		System.out.println(sum[0] + " " + (sum[0] == sum[3]));
	}
}
