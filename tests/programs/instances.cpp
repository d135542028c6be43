/* SPDX-License-Identifier: BSD-3-Clause */
/* instances.cpp - a region in a template's virtual function, of which there are two instances, and
   which leaves by a tail call: before version 17, clang's names do not show whose body it is. */
#include <cstdio>
#include <vector>

struct kernel {
	virtual void run() = 0;
	virtual ~kernel() {}
};

template <class T> struct divide : kernel {
	std::vector<T> a, b;
	divide() : a(400000, 1.0), b(400000) {}
	void run() override;
};

template <class T> void divide<T>::run()
{
#pragma omp parallel for num_threads(2)
	for (long i = 0; i < (long)a.size(); i++)
		b[i] = a[i] / (b[i] + 1.5);
}

template struct divide<float>;

__attribute__((noinline)) static void driver(kernel *k)
{
	for (int i = 0; i < 400; i++)
		k->run();
}

int main()
{
	divide<double> k;

	driver(&k);
	std::printf("%g\n", k.b[5]);
}
